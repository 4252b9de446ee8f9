"""Sends alert pushes with aioapns and prints one JSON line: how many a second, and CPU seconds for 100 000.

Usage: aioapns_send.py PORT CA_FILE KEY_FILE COUNT
The server is an APNs simulator on loopback; COUNT bounds the run.
"""

import asyncio
import json
import resource
import ssl
import sys
import time

import aioapns
from aioapns import APNs, NotificationRequest, PushType


async def main() -> None:
    port, ca_file, key_file, count = int(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
    context = ssl.create_default_context(cafile=ca_file)
    context.set_alpn_protocols(["h2"])
    with open(key_file, encoding="utf-8") as file:
        key = file.read()
    client = APNs(
        key=key, key_id="ABCDE12345", team_id="TEAM123456", topic="com.example.shop", use_sandbox=True,
        ssl_context=context, max_connections=1)
    protocol = client.pool.protocol_class
    protocol.APNS_SERVER = "localhost"
    protocol.APNS_PORT = port
    message = {"aps": {"alert": {"title": "Your order is out for delivery", "body": "Arriving between 2 and 4 pm."}}}
    accepted = 0
    limit = asyncio.Semaphore(1000)

    async def send(number: int) -> None:
        nonlocal accepted
        async with limit:
            answer = await client.send_notification(
                NotificationRequest(device_token=f"{number:064x}", message=message, push_type=PushType.ALERT))
            if answer.is_successful:
                accepted += 1

    await send(0)
    begin, cpu = time.monotonic(), resource.getrusage(resource.RUSAGE_SELF)
    await asyncio.gather(*(send(number) for number in range(1, count + 1)))
    seconds = time.monotonic() - begin
    used = resource.getrusage(resource.RUSAGE_SELF)
    cpu_seconds = used.ru_utime + used.ru_stime - cpu.ru_utime - cpu.ru_stime
    print(json.dumps({
        "version": getattr(aioapns, "__version__", ""), "accepted": accepted - 1, "per_second": count / seconds,
        "cpu_per_100k": cpu_seconds * 100_000 / count}))


asyncio.run(main())
