-- Distributes a new, empty Tidemark store over the workers of a Citus cluster; run it on the coordinator, before any load.
-- See docs/how-to/citus.md. Afterwards every value is computed and served as from one PostgreSQL.

-- What belongs to one asset is on one worker: all these tables are distributed by asset, in one group.
SELECT create_distributed_table('tidemark.bar_blocks', 'asset');
SELECT create_distributed_table('tidemark.coverage', 'asset', colocate_with => 'tidemark.bar_blocks');
SELECT create_distributed_table('tidemark.profiles', 'asset', colocate_with => 'tidemark.bar_blocks');
SELECT create_distributed_table('tidemark.published', 'asset', colocate_with => 'tidemark.bar_blocks');
SELECT create_distributed_table('tidemark.replaced_closes', 'asset', colocate_with => 'tidemark.bar_blocks');
SELECT create_distributed_table('tidemark.bar_blocks_1h', 'asset', colocate_with => 'tidemark.bar_blocks');
SELECT create_distributed_table('tidemark.coverage_1h', 'asset', colocate_with => 'tidemark.bar_blocks');
SELECT create_distributed_table('tidemark.replaced_closes_1h', 'asset', colocate_with => 'tidemark.bar_blocks');
SELECT create_distributed_table('tidemark.bar_blocks_1m', 'asset', colocate_with => 'tidemark.bar_blocks');
SELECT create_distributed_table('tidemark.coverage_1m', 'asset', colocate_with => 'tidemark.bar_blocks');
SELECT create_distributed_table('tidemark.replaced_closes_1m', 'asset', colocate_with => 'tidemark.bar_blocks');
SELECT create_distributed_table('tidemark.source_blocks', 'asset', colocate_with => 'tidemark.bar_blocks');

-- The other tables are small and stay on the coordinator. tidemark.assets must not become a reference table: statements that write it
-- also read tidemark.meta, which is local.
