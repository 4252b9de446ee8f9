"""Sends pushes with httpx (HTTP/2 by h2) and provider tokens made by PyJWT: nothing of ours is in the way.

Reads one JSON object from standard input, writes one JSON array with an answer for each request.
"""
import json
import sys
import time

import httpx
import jwt
import ssl

order = json.load(sys.stdin)
token = jwt.encode(
    {"iss": order["team"], "iat": int(time.time())},
    order["key_pem"],
    algorithm="ES256",
    headers={"kid": order["key_id"]},
)
trust = ssl.create_default_context(cafile=order["ca"])
answers = []
with httpx.Client(http2=True, http1=False, verify=trust, timeout=10) as client:
    for request in order["requests"]:
        headers = {"apns-topic": "com.example.app", "apns-push-type": "alert"}
        headers["authorization"] = "bearer " + token
        headers.update(request.get("headers", {}))
        headers = {name: value for name, value in headers.items() if value is not None}
        answer = client.request(
            request.get("method", "POST"),
            f"https://localhost:{order['port']}{request['path']}",
            headers=headers,
            content=request.get("body", '{"aps":{"alert":"x"}}').encode(),
        )
        answers.append(
            {
                "version": answer.http_version,
                "status": answer.status_code,
                "headers": [[name, value] for name, value in answer.headers.items()],
                "body": answer.text,
            }
        )
json.dump(answers, sys.stdout)
