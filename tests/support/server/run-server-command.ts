import { once } from "node:events"
import { spawnWithLifeline } from "../../../scripts/run/supervise.mjs"
import { serverProgram } from "../../../scripts/setup/prepare.mjs"

export type Ended = {
  readonly exitCode: number | null
  readonly output: string
  readonly errorOutput: string
}

/** Runs the built server, or one of its commands, to its end, with only these variables and this input. */
export async function runServerCommand(
  args: readonly string[],
  env: Record<string, string>,
  input = "",
): Promise<Ended> {
  const child = spawnWithLifeline([serverProgram, ...args], {
    env: { PATH: process.env.PATH, NODE_ENV: "production", ...env },
    input: "pipe",
    output: "pipe",
  })
  child.stdin?.end(input)
  let output = ""
  let errorOutput = ""
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output += text
  })
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    errorOutput += text
  })
  const [exitCode] = await once(child, "close")
  return { exitCode, output, errorOutput }
}
