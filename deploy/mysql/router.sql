-- The tables in which MySQL Router finds the members of the group, in the form of MySQL Shell (metadata schema 2.0.0; only the
-- tables that Router reads). keep-group.sh fills `instances`. Router asks the members which of them is the primary.
CREATE DATABASE IF NOT EXISTS mysql_innodb_cluster_metadata;
CREATE TABLE IF NOT EXISTS mysql_innodb_cluster_metadata.instances (
  address VARCHAR(265) CHARACTER SET ascii PRIMARY KEY,
  server_uuid CHAR(36) CHARACTER SET ascii NOT NULL
);
-- Router writes its version and the time of its last check-in into its row.
CREATE TABLE IF NOT EXISTS mysql_innodb_cluster_metadata.v2_routers (
  router_id INT UNSIGNED PRIMARY KEY,
  router_name VARCHAR(265) NOT NULL,
  address VARCHAR(256) NOT NULL,
  version VARCHAR(12),
  last_check_in TIMESTAMP NULL,
  attributes JSON,
  options JSON
);
REPLACE INTO mysql_innodb_cluster_metadata.v2_routers (router_id, router_name, address, attributes)
  VALUES (1, 'kalends', 'database', '{}');
CREATE OR REPLACE VIEW mysql_innodb_cluster_metadata.v2_router_options (router_id, router_options) AS
  SELECT 1, CAST('{}' AS JSON);
CREATE OR REPLACE VIEW mysql_innodb_cluster_metadata.v2_this_instance (cluster_id, cluster_type) AS SELECT 'kalends', 'gr';
CREATE OR REPLACE VIEW mysql_innodb_cluster_metadata.v2_gr_clusters (cluster_id, cluster_name, group_name) AS
  SELECT 'kalends', 'kalends', variable_value
  FROM performance_schema.global_variables WHERE variable_name = 'group_replication_group_name';
CREATE OR REPLACE VIEW mysql_innodb_cluster_metadata.v2_instances
    (cluster_id, mysql_server_uuid, endpoint, xendpoint, attributes, label) AS
  SELECT 'kalends', server_uuid, address, '', '{}', address FROM mysql_innodb_cluster_metadata.instances;
GRANT SELECT ON mysql_innodb_cluster_metadata.* TO router;
GRANT UPDATE ON mysql_innodb_cluster_metadata.v2_routers TO router;
GRANT SELECT ON performance_schema.replication_group_members TO router;
GRANT SELECT ON performance_schema.replication_group_member_stats TO router;
GRANT SELECT ON performance_schema.global_variables TO router;
CREATE OR REPLACE VIEW mysql_innodb_cluster_metadata.schema_version (major, minor, patch) AS SELECT 2, 0, 0;
