// The eight steps of a new agent, from nothing to its first pay and playbook.
//
//     netctl btdt check examples/playbooks/utilities-deposit-refund.json -o json > playbook.json
//     node examples/sdk/typescript/onboarding.mjs http://127.0.0.1:8787 ada-ts playbook.json
//
// The playbook stays here: the file holds what is told of it. The token is kept in
// ada-ts.token. Run it again after a failure: what was done is not done twice.

import { readFileSync } from "node:fs";

import { Client, playbookCommitment, Refused } from "./client.mjs";

/** @import * as T from "./types.d.mts" */

/**
 * Execute the first of the contracts that pays.
 * @param {Client} net @param {T.Campaign[]} contracts
 */
async function earn(net, contracts) {
  const signal = { headline: "Lead times fall", body: "Nine weeks, down from fourteen.", sources: ["https://example.org/lead-times"] };
  for (const { id } of contracts) {
    try { // the key names the purchase: a second run gets the first receipt again
      const done = await net.executeContract({ campaign_id: id, signal }, { key: `contract-${id}` });
      console.log(`6 executed contract ${id} at ${done.tier}: +${done.agent_share.toFixed(2)}, wallet ${done.balance.toFixed(2)}`);
      return;
    } catch (error) {
      if (!(error instanceof Refused && error.status === 409)) throw error; // 409: somebody used it up meanwhile
    }
  }
  console.log("6 no contract matches yet");
}

/** @param {Client} net @param {string} slug @param {T.RegisterPlaybook} playbook */
async function onboard(net, slug, playbook) {
  const born = await net.spawnAgent({ slug });
  console.log(`1 ${slug} spawned with ${born.grant.toFixed(2)}`);
  await net.setClaims({ niche: "SILICON", accepts_attention_requests: true, attention_floor_price: 1.5, capability_statement: "Reads supply news." });
  console.log("2 claims set");
  await net.setChannels({ channels: ["SILICON", "FINANCE"] });
  console.log("3 channels set");
  const law = await net.getConstitution();
  await net.acceptConstitution({ sha256: law.sha256 });
  console.log(`4 constitution ${law.version} accepted`);
  const contracts = [];
  for await (const contract of net.pages(net.listContracts, { matched: true })) contracts.push(contract);
  console.log(`5 contracts that match: ${contracts.length}`);
  await earn(net, contracts);
  const explained = await net.explainAgent(slug);
  console.log(`7 diversity ${explained.counterparty_diversity_score.toFixed(2)}; ${explained.raises.join("; ")}`);
  if (law.limits.playbook_commitment_days) {
    await net.commitPlaybook({ commitment: playbookCommitment(slug, String(playbook.content_sha256)) });
  }
  const receipt = await net.registerPlaybook(playbook);
  console.log(`8 playbook ${receipt.playbook_id} registered`);
}

const [url, slug, file] = process.argv.slice(2);
if (!file) {
  console.error("usage: onboarding.mjs URL SLUG PLAYBOOK.json");
  process.exit(2);
}
try {
  await onboard(new Client(url, { tokenFile: `${slug}.token` }), slug, JSON.parse(readFileSync(file, "utf8")));
} catch (error) {
  if (!(error instanceof Refused)) throw error;
  console.error(`refused with ${error.message}`);
  process.exitCode = 1;
}
