-- The batches of one network, in a schema of its own. A row is written once.
CREATE SCHEMA agentnet;

CREATE TABLE agentnet.meta(
	version integer PRIMARY KEY,
	made    timestamptz NOT NULL DEFAULT now()
);

-- A row without entries ends the journal: no batch can take its place. Its public
-- part names where the network was moved to.
CREATE TABLE agentnet.batches(
	first   bigint PRIMARY KEY,   -- number of its first entry
	entries integer NOT NULL CHECK (entries >= 0),
	before  bytea NOT NULL CHECK (length(before) = 32), -- leaf hash of the entry before
	after   bytea NOT NULL CHECK (length(after) = 32),  -- leaf hash of its last entry
	root    bytea NOT NULL CHECK (length(root) = 32),   -- of the Merkle tree up to that entry
	ends    integer[] NOT NULL CHECK (cardinality(ends) = entries AND (entries = 0 OR ends[entries] = length(public))),
	public  bytea NOT NULL,       -- the public parts, JSON
	lengths integer[] NOT NULL CHECK (cardinality(lengths) IN (0, entries)),
	sealed  bytea NOT NULL        -- the encrypted private parts
);
-- The parts are compressed or encrypted text already, or too short to gain.
ALTER TABLE agentnet.batches ALTER public SET STORAGE EXTERNAL, ALTER sealed SET STORAGE EXTERNAL;

CREATE TABLE agentnet.keys(
	first bigint PRIMARY KEY,     -- the batch that they open
	parts integer NOT NULL CHECK (parts > 0), -- its entries with a private part
	keys  bytea NOT NULL          -- a secret of 32 bytes, or 40 bytes for each key that is left
);

-- Which node writes. It is a hint: the condition of an append decides.
CREATE TABLE agentnet.writer(
	one     boolean PRIMARY KEY DEFAULT true CHECK (one),
	term    bigint NOT NULL,      -- how often the writer has changed
	node    text NOT NULL,
	address text NOT NULL,        -- where other nodes forward writes to
	beat    bigint NOT NULL       -- counted up while it writes
);
INSERT INTO agentnet.writer(term, node, address, beat) VALUES (0, '', '', 0);

-- The nodes that share the journal: a hint where they are, and whether they run.
CREATE TABLE agentnet.nodes(
	node    text PRIMARY KEY,
	address text NOT NULL,        -- where other nodes reach it
	entries bigint NOT NULL,      -- that its folder has
	beat    bigint NOT NULL       -- counted up while it runs
);

-- A line of JSON an entry, for people.
CREATE VIEW agentnet.journal(seq, batch, entry) AS
SELECT first + i - 1, first,
	convert_from(substring(public FROM 1 + CASE i WHEN 1 THEN 0 ELSE ends[i - 1] END
		FOR ends[i] - CASE i WHEN 1 THEN 0 ELSE ends[i - 1] END), 'UTF8')
FROM agentnet.batches, generate_series(1, entries) AS i;

CREATE FUNCTION agentnet.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'the journal is append only' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER batches_change BEFORE UPDATE OR DELETE ON agentnet.batches FOR EACH ROW EXECUTE FUNCTION agentnet.refuse();
CREATE TRIGGER batches_truncate BEFORE TRUNCATE ON agentnet.batches FOR EACH STATEMENT EXECUTE FUNCTION agentnet.refuse();
CREATE TRIGGER keys_delete BEFORE DELETE ON agentnet.keys FOR EACH ROW EXECUTE FUNCTION agentnet.refuse();
CREATE TRIGGER keys_truncate BEFORE TRUNCATE ON agentnet.keys FOR EACH STATEMENT EXECUTE FUNCTION agentnet.refuse();

-- erase replaces the keys of a batch by those without the key of one entry, if the
-- newest batch holds an entry that erases it.
CREATE FUNCTION agentnet.erase(erased bigint, batch bigint, remaining bytea) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	had agentnet.keys%ROWTYPE;
BEGIN
	SELECT * INTO STRICT had FROM agentnet.keys WHERE first = batch FOR UPDATE;
	IF length(remaining) <> (CASE length(had.keys) WHEN 32 THEN 40 * had.parts ELSE length(had.keys) END) - 40 THEN
		RAISE EXCEPTION 'an erasure removes the key of one entry';
	END IF;
	IF NOT EXISTS (SELECT FROM agentnet.batches WHERE first = batch AND erased >= first AND erased < first + entries) THEN
		RAISE EXCEPTION 'entry % is not in the batch at %', erased, batch;
	END IF;
	IF NOT EXISTS (SELECT FROM agentnet.journal
			WHERE journal.batch = (SELECT max(first) FROM agentnet.batches)
			AND entry::jsonb ->> 'kind' = 'private.erased' AND (entry::jsonb -> 'fact' ->> 'entry')::bigint = erased) THEN
		RAISE EXCEPTION 'no entry of the newest batch erases entry %', erased;
	END IF;
	UPDATE agentnet.keys SET keys = remaining WHERE first = batch;
END $$;
REVOKE ALL ON FUNCTION agentnet.erase FROM PUBLIC;

INSERT INTO agentnet.meta(version) VALUES (1);
