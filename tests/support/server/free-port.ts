import { createServer } from "node:net"

/** Below Linux's ephemeral port range: a free port stays free between two starts. */
const FIRST = 20_000
const COUNT = 12_000

/** Ports are given in order from here, so that none is given again before a server listens on it. */
let next = Math.floor(Math.random() * COUNT)

/** Returns a free port of 127.0.0.1. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + (next++ % COUNT)
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once("error", () => resolve(false))
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)))
  })
}
