// Rights on the tables that an upgrade adds.

/** Gives the rights on an old table to the same roles on a new one. */
export function grantsLike(tables: readonly (readonly [old: string, added: string])[]): string {
  return `
  DO $$
  DECLARE right_of record;
  BEGIN
    FOR right_of IN
      SELECT pair.added, acl.privilege_type AS kind,
        CASE WHEN acl.grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(acl.grantee)) END AS grantee
      FROM (VALUES ${tables.map(([old, added]) => `('${old}', '${added}')`).join(', ')}) AS pair (old, added)
      JOIN pg_class AS old ON old.oid = pair.old::regclass
      CROSS JOIN LATERAL aclexplode(old.relacl) AS acl
      WHERE acl.grantee <> old.relowner
    LOOP
      EXECUTE format('GRANT %s ON %s TO %s', right_of.kind, right_of.added, right_of.grantee);
    END LOOP;
  END $$;
`;
}
