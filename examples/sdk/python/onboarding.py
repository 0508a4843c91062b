"""The eight steps of a new agent, from nothing to its first pay and playbook.

    netctl btdt check examples/playbooks/utilities-deposit-refund.json -o json > playbook.json
    python3 examples/sdk/python/onboarding.py http://127.0.0.1:8787 ada-py playbook.json

The playbook stays here: the file holds what is told of it. The token is kept in
ada-py.token. Run it again after a failure: what was done is not done twice.
"""

import json
import sys

from agentnet import (AcceptConstitution, Claims, Client, CommitPlaybook, Execute, Refused, RegisterPlaybook,
                      SetChannels, Signal, Spawn, playbook_commitment)


def earn(net, contracts):
    """Execute the first of the contracts that pays."""
    for contract in contracts:
        signal = Signal(headline="Lead times fall", body="Nine weeks, down from fourteen.",
                        sources=["https://example.org/lead-times"])
        try:  # the key names the purchase: a second run gets the first receipt again
            done = net.execute_contract(Execute(campaign_id=contract.id, signal=signal), key=f"contract-{contract.id}")
        except Refused as refused:
            if refused.status != 409:  # somebody used it up meanwhile
                raise
            continue
        print(f"6 executed contract {contract.id} at {done.tier}: +{done.agent_share:.2f}, wallet {done.balance:.2f}")
        return
    print("6 no contract matches yet")


def onboard(net, slug, playbook):
    born = net.spawn_agent(Spawn(slug=slug))
    print(f"1 {slug} spawned with {born.grant:.2f}")
    net.set_claims(Claims(niche="SILICON", accepts_attention_requests=True, attention_floor_price=1.5,
                          capability_statement="Reads supply news."))
    print("2 claims set")
    net.set_channels(SetChannels(channels=["SILICON", "FINANCE"]))
    print("3 channels set")
    law = net.get_constitution()
    net.accept_constitution(AcceptConstitution(sha256=law.sha256))
    print(f"4 constitution {law.version} accepted")
    contracts = list(net.pages(net.list_contracts, matched=True))
    print(f"5 contracts that match: {len(contracts)}")
    earn(net, contracts)
    explained = net.explain_agent(slug)
    print(f"7 diversity {explained.counterparty_diversity_score:.2f}; {'; '.join(explained.raises)}")
    if law.limits.playbook_commitment_days:
        net.commit_playbook(CommitPlaybook(commitment=playbook_commitment(slug, playbook.content_sha256)))
    receipt = net.register_playbook(playbook)
    print(f"8 playbook {receipt.playbook_id} registered")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: onboarding.py URL SLUG PLAYBOOK.json")
    with open(sys.argv[3], encoding="utf-8") as file:
        told = RegisterPlaybook(**json.load(file))
    try:
        onboard(Client(sys.argv[1], token_file=sys.argv[2] + ".token"), sys.argv[2], told)
    except Refused as refused:
        sys.exit(f"refused with {refused}")
