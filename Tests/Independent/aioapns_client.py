"""Sends pushes with aioapns, a provider library that people run against Apple, as it is but for the server's address.

Reads one JSON object from standard input, writes one JSON array: status and reason of each push.
"""
import asyncio
import json
import ssl
import sys

from aioapns import APNs, NotificationRequest
from aioapns.connection import APNsTLSClientProtocol

order = json.load(sys.stdin)


class LocalProtocol(APNsTLSClientProtocol):
    APNS_SERVER = "localhost"
    APNS_PORT = order["port"]


async def main():
    client = APNs(
        key=order["key_pem"],
        key_id=order["key_id"],
        team_id=order["team"],
        topic="com.example.app",
        use_sandbox=True,
        max_connection_attempts=3,
    )
    client.pool.protocol_class = LocalProtocol
    client.pool.ssl_context = ssl.create_default_context(cafile=order["ca"])
    client.pool.ssl_context.set_alpn_protocols(["h2"])
    sent = [
        client.send_notification(
            NotificationRequest(device_token=token, message={"aps": {"alert": "x"}}, collapse_key="c")
        )
        for token in order["tokens"]
    ]
    results = await asyncio.wait_for(asyncio.gather(*sent), 20)
    json.dump([{"status": result.status, "reason": result.description} for result in results], sys.stdout)


asyncio.run(main())
