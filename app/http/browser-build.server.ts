import { existsSync, readFileSync } from "node:fs"

type Chunks = Readonly<Record<string, { file: string; imports?: string[] } | undefined>>

let chunks: Chunks | undefined

/**
 * Files of the browser build with a module's code: its own first, then those that it imports. Paths below the base path, as
 * the build has listed them; empty in development, where there is no build.
 */
export function builtFiles(module: string): readonly string[] {
  chunks ??= listed()
  const own = chunks[module]
  return [own, ...(own?.imports ?? []).map((name) => chunks?.[name])].flatMap((it) =>
    it ? [`/${it.file}`] : [],
  )
}

function listed(): Chunks {
  const manifest = new URL("../client/.vite/manifest.json", import.meta.url)
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, "utf8")) : {}
}
