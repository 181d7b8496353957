import { Pool } from "undici"
import { again, type Figures } from "./figures"

type Load = {
  /** `http://127.0.0.1:PORT`. */
  origin: string
  path: string
  headers: Readonly<Record<string, string>>
  seconds: number
  connections: number
}

/** Asks for one page again and again, each connection one question at a time. Throws on anything but 200. */
export async function load({ origin, path, headers, seconds, connections }: Load): Promise<Figures> {
  const pool = new Pool(origin, { connections, pipelining: 1 })
  try {
    return await again(
      async () => {
        const { statusCode, body } = await pool.request({ path, method: "GET", headers })
        await body.arrayBuffer()
        if (statusCode !== 200) throw new Error(`${origin}${path} answered ${statusCode}`)
      },
      seconds,
      connections,
    )
  } finally {
    await pool.close()
  }
}
