-- POST /messages to one of the demo's users.
local key, app = os.getenv("API_KEY"), os.getenv("APP")
wrk.method = "POST"
wrk.path = "/push/v1/messages"
wrk.headers["Authorization"] = "Bearer " .. key
wrk.headers["Content-Type"] = "application/json"
wrk.body = '{"app_id":"' .. app .. '","target":{"type":"user","id":"user_1"},"title":"Your order is out for delivery","body":"Arriving between 2 and 4 pm."}'
