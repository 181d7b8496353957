import { Pool } from "undici"
import { fromClientThread } from "./client-thread"
import { processorSeconds } from "./cpu-time"
import type { Task } from "./one-by-one-worker"
import { again, figures, type Statistics } from "./statistics"

type Load = {
  /** `http://127.0.0.1:PORT`. */
  origin: string
  /** Process id of the server. */
  pid: number | undefined
  path: string
  headers: Readonly<Record<string, string>>
  seconds: number
  connections: number
}

/** Requests one page repeatedly; each connection has one request in flight. Throws on any status but 200. */
export async function load({
  origin,
  pid = 0,
  path,
  headers,
  seconds,
  connections,
}: Load): Promise<Statistics> {
  const pool = new Pool(origin, { connections, pipelining: 1 })
  try {
    let responseCount = 0
    const before = processorSeconds(pid)
    const figures = await again(
      async () => {
        const { statusCode, body } = await pool.request({ path, method: "GET", headers })
        await body.arrayBuffer()
        responseCount += 1
        if (statusCode !== 200) throw new Error(`${origin}${path} answered ${statusCode}`)
      },
      seconds,
      connections,
    )
    return { ...figures, perCore: responseCount / (processorSeconds(pid) - before) }
  } finally {
    await pool.close()
  }
}

/** Requests one page on one connection, one request after the other. Throws on any status but 200. */
export async function loadOneByOne({
  origin,
  path,
  headers,
  seconds,
}: Omit<Load, "pid" | "connections">): Promise<Statistics> {
  const task: Task = { url: `${origin}${path}`, headers, seconds }
  return figures(await fromClientThread<Task, number[]>("one-by-one-worker.ts", task), seconds)
}
