import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"

export type ShellBlock = {
  /** `run`: the test of the documented commands runs the block. Otherwise only its syntax and its names are checked. */
  readonly mark: "run" | null
  /** Commands, one per line, without line continuations and comments. */
  readonly lines: readonly string[]
  readonly text: string
}

/** Pages about the present: a changelog names what is gone. */
export const currentDocuments = execFileSync(
  "git",
  ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"],
  {
    encoding: "utf8",
  },
)
  .split("\n")
  .filter((file) => existsSync(file) && !/^(CHANGELOG|docs\/upgrading|tests\/fixtures)/.test(file))

/** The shell blocks of a page, in their order. Throws for an unknown mark. */
export function shellBlocksIn(file: string): ShellBlock[] {
  const text = readFileSync(file, "utf8")
  return [...text.matchAll(/^( *)```sh *(.*)\n([\s\S]*?)^ *```/gm)].map(
    ([, indent = "", mark = "", block = ""]) => {
      if (mark !== "" && mark !== "run") throw new Error(`${file}: unknown mark "${mark}" of a shell block`)
      const own = block.replaceAll(new RegExp(`^${indent}`, "gm"), "")
      return { mark: mark === "run" ? "run" : null, lines: commandsIn(own), text: own }
    },
  )
}

function commandsIn(block: string): string[] {
  return block
    .replace(/\\\n\s*/g, " ")
    .replace(/(^|\s)#.*$/gm, "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
}
