# Signs up with the Python SDK and with fastmcp. Its arguments are how to connect, the URL and the token.
import asyncio
import json
import sys

import httpx2
from fastmcp import Client as FastClient
from fastmcp.client.transports import StreamableHttpTransport
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

library, url, token = sys.argv[1:]
headers = {"Authorization": f"Bearer {token}"}


async def sign_up(call):
    inbox, _ = await call("create_inbox", {})
    named = {"inbox": inbox["inbox"]}
    print(inbox["address"], flush=True)
    mail, _ = await call("wait_for_code", {**named, "timeout_seconds": 30})
    _, wrong = await call("wait_for_code", {**named, "timeout_seconds": 100_000})
    await call("delete_inbox", named)
    _, gone = await call("list_messages", named)
    return {"code": mail["code"], "wrong": wrong, "gone": gone}


async def mcp(mode):
    async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
        async with Client(streamable_http_client(url, http_client=http), mode=mode) as client:

            async def call(name, arguments):
                result = await client.call_tool(name, arguments)
                return result.structured_content, result.is_error

            tools = (await client.list_tools()).tools
            seen = await sign_up(call)
            print(json.dumps({"tools": len(tools), "revision": client.protocol_version, **seen}))


async def fastmcp():
    async with FastClient(StreamableHttpTransport(url, headers=headers)) as client:

        async def call(name, arguments):
            result = await client.call_tool(name, arguments, raise_on_error=False)
            return result.structured_content, result.is_error

        tools = await client.list_tools()
        print(json.dumps({"tools": len(tools), **await sign_up(call)}))


asyncio.run(fastmcp() if library == "fastmcp" else mcp(library))
