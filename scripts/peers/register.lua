-- POST /installations, a new device each time.
local app, count = os.getenv("APP"), 0
local headers = { ["Content-Type"] = "application/json" }
request = function()
  count = count + 1
  local token = string.format("%064x", count)
  local body = '{"app_id":"' .. app .. '","device_id":"wrk-' .. count .. '","platform":"ios","push_provider":"apns","token":"' .. token .. '","permission_state":"granted"}'
  return wrk.format("POST", "/push/v1/installations", headers, body)
end
