import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { pathToFileURL } from "node:url"
import { z } from "zod"
import { inProject } from "../../../scripts/setup/project-root.mjs"
import type { TestServer } from "../../support/server/server-process"

const ANSWERS_WITHIN = 60_000

const ProbedSchema = z.object({
  /** Delay of the event loop since the last look, in milliseconds. */
  loop: z.object({ p50: z.number(), p99: z.number(), max: z.number() }),
  /** Bytes. */
  memory: z.object({ rss: z.number(), external: z.number(), arrayBuffers: z.number() }),
  contexts: z.number(),
  /** The longest times without idling, with the functions that took most of each; none unless they are asked for. */
  pieces: z.array(z.object({ milliseconds: z.number(), in: z.array(z.string()) })),
  spaces: z.array(z.object({ name: z.string(), used: z.number(), size: z.number() })),
})
export type Probed = z.infer<typeof ProbedSchema>

/** Looks into a running shop that was started with `env`. It needs no debugger and collects no garbage. */
export type Probe = {
  readonly env: Readonly<Record<string, string>>
  look(shop: TestServer): Promise<Probed>
  close(): void
}

export function openProbe(
  options: { readonly withPieces?: boolean; readonly nodeOptions?: string } = {},
): Probe {
  const folder = mkdtempSync(join(tmpdir(), "boxoffice-probe-"))
  const file = join(folder, "probed.json")
  const program = pathToFileURL(inProject("tests", "performance", "bench", "preload-probe.mjs")).href
  return {
    env: {
      NODE_OPTIONS: `--import=${program} ${options.nodeOptions ?? ""}`.trim(),
      PROBE_FILE: file,
      ...(options.withPieces && { PROBE_PIECES: "yes" }),
    },
    async look(shop) {
      rmSync(file, { force: true })
      process.kill(shop.pid() ?? 0, "SIGUSR2")
      const deadline = performance.now() + ANSWERS_WITHIN
      while (performance.now() < deadline) {
        const probed = read(file)
        if (probed) return probed
        await pause(20)
      }
      throw new Error("The shop has not answered its probe")
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Null while the file is missing or only half written. */
function read(file: string): Probed | null {
  if (!existsSync(file)) return null
  try {
    return ProbedSchema.parse(JSON.parse(readFileSync(file, "utf8")))
  } catch {
    return null
  }
}
