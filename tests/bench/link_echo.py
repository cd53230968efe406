"""A peer that sends every message back, for `link_close.py`: python -m tests.bench.link_echo PORT."""

import asyncio
import sys
from socket import IPPROTO_TCP, TCP_NODELAY

import aiomqtt

from sim.broker import HOST

SAID, ECHOED = "echo/said", "echo/echoed"
NODELAY = ((IPPROTO_TCP, TCP_NODELAY, 1),)


async def _echo(port: int) -> None:
    async with aiomqtt.Client(HOST, port, socket_options=NODELAY) as client:
        await client.subscribe(SAID, qos=1)
        print("ready", flush=True)
        async with asyncio.TaskGroup() as tasks:
            async for message in client.messages:
                # As the link does: the broker's receipt is awaited aside.
                tasks.create_task(client.publish(ECHOED, message.payload, qos=1))


if __name__ == "__main__":
    asyncio.run(_echo(int(sys.argv[1])))
