import type { ShownShopFile, ShownShopValue } from "~/domain/console/shown-setting"
import { shopFileFields } from "./shop-file.server"
import { type FilesRead, withoutCredentials } from "./shown-settings.server"

/** Values by their places in the file, such as "links.support". */
type Values = ReadonlyMap<string, string | null>

/**
 * Every value of the shop file as the process runs with it, and what a restart would change. `atStart`, `present`: the files then
 * and now.
 */
export function shownShopFile({
  atStart,
  present,
}: {
  readonly atStart: FilesRead
  readonly present: FilesRead
}): ShownShopFile {
  const [then, now] = [shopFileFields(textIn(atStart)), shopFileFields(textIn(present))]
  // The shop has started with it.
  if (!then.ok) return { values: [], problem: then.problem }
  const [running, named] = [valuesIn(then.fields), valuesIn(then.typed)]
  const next = now.ok ? valuesIn(now.fields) : running
  const values = [...new Set([...running.keys(), ...next.keys()])].map((place) =>
    shownValue(place, { running, named, next }),
  )
  return { values, problem: now.ok ? null : now.problem }
}

/** Absent without a file of the operator's; empty if it cannot be read. */
function textIn(files: FilesRead): string | undefined {
  return files.has("SHOP_FILE") ? (files.get("SHOP_FILE") ?? "") : undefined
}

type Read = { readonly running: Values; readonly named: Values; readonly next: Values }

function shownValue(place: string, { running, named, next }: Read): ShownShopValue {
  const [value, after] = [running.get(place) ?? null, next.get(place) ?? null]
  const source = named.has(place) ? "shop-file" : "default"
  return { place, value, source, ...(value !== after && { next: after }) }
}

function valuesIn(fields: unknown): Values {
  return new Map(leavesOf(fields, []))
}

function leavesOf(fields: unknown, path: readonly string[]): (readonly [string, string | null])[] {
  const children = typeof fields === "object" && fields !== null ? Object.entries(fields) : []
  if (children.length > 0) return children.flatMap(([name, child]) => leavesOf(child, [...path, name]))
  return [[path.join("."), leafText(fields)]]
}

/** Null and empty lists are none. */
function leafText(leaf: unknown): string | null {
  return typeof leaf === "object" || leaf === undefined ? null : withoutCredentials(String(leaf))
}
