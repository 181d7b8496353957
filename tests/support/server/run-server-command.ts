import { once } from "node:events"
import { spawnWithLifeline } from "../../../scripts/run/spawn-child.mjs"
import { serverProgram } from "../../../scripts/setup/prepare.mjs"

export type Ended = { readonly code: number | null; readonly said: string; readonly complained: string }

/** Runs the built server, or a command of it, to its end; only with these variables, and with this to read. */
export async function runServerCommand(
  words: readonly string[],
  env: Record<string, string>,
  input = "",
): Promise<Ended> {
  const child = spawnWithLifeline([serverProgram, ...words], {
    env: { PATH: process.env.PATH, NODE_ENV: "production", ...env },
    ...{ input: "pipe", output: "pipe" },
  })
  child.stdin?.end(input)
  let said = ""
  let complained = ""
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    said += text
  })
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    complained += text
  })
  const [code] = await once(child, "close")
  return { code, said, complained }
}
