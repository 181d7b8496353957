import { readFileSync } from "node:fs"
import { z } from "zod"
import demonstration from "./demonstration-shop.json?raw"
import type { PlayerApp, ShopLinks } from "./domain/shop-links"

/** Addresses that may stand in a link: nothing that runs script. */
const Web = z.url({ protocol: /^https?$/ })
const Support = z.union([Web, z.url({ protocol: /^mailto$/ })])

const ShopFile = z.object({
  links: z.object({
    guides: Web.nullable().default(null),
    speedTest: Web.nullable().default(null),
    support: Support.nullable().default(null),
  }),
  apps: z.array(
    z.object({
      name: z.string().min(1).max(40),
      devices: z.array(z.enum(["ios", "android", "other"])).nonempty(),
      store: Web,
      open: z
        .string()
        .regex(/^(?!javascript:|data:|vbscript:)[a-z][a-z0-9+.-]*:/i, "is not a link that opens an app")
        .nullable()
        .default(null),
    }),
  ),
})

export type ShopFile = { readonly links: ShopLinks; readonly apps: readonly PlayerApp[] }

/** Help links and players, from the operator's file or the demonstration's. Throws in words when it cannot be used. */
export function readShopFile(path: string | undefined): ShopFile {
  const name = path ?? "demonstration-shop.json"
  const parsed = ShopFile.safeParse(
    json(path === undefined ? demonstration : readFileSync(path, "utf8"), name),
  )
  if (parsed.success) return parsed.data
  throw new Error(`${name} cannot be used:\n${z.prettifyError(parsed.error)}`)
}

function json(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Error(`${name} is not JSON`, { cause })
  }
}
