-- Run once, on the coordinator, after the migrations, on a server that has Citus. Parents first.
SELECT create_reference_table('accounts');
SELECT create_reference_table('account_keys');
SELECT create_distributed_table('apps', 'app_id');
SELECT create_distributed_table('api_keys', 'app_id', colocate_with => 'apps');
SELECT create_distributed_table('apns_credentials', 'app_id', colocate_with => 'apps');
SELECT create_distributed_table('installations', 'app_id', colocate_with => 'apps');
SELECT create_distributed_table('messages', 'app_id', colocate_with => 'apps');
SELECT create_distributed_table('message_tallies', 'app_id', colocate_with => 'apps');
SELECT create_distributed_table('idempotency_keys', 'app_id', colocate_with => 'apps');
SELECT create_distributed_table('batches', 'app_id', colocate_with => 'apps');
SELECT create_distributed_table('deliveries', 'app_id', colocate_with => 'apps');
SELECT create_distributed_table('receipts', 'app_id', colocate_with => 'apps');
