/** Where a buyer finds help; null where the operator offers none (spec, section 2: utilities tiles). */
export type ShopLinks = {
  readonly guides: string | null
  readonly speedTest: string | null
  readonly support: string | null
}

/** Devices that are told apart: what a link can open depends on them. */
export type DeviceKind = "ios" | "android" | "other"

/**
 * A player a buyer may use. `open` is the link that opens the playlist in it, with `{url}` for the encoded playlist
 * address, `{host}` and `{path}` for its parts and `{store}` for the encoded store address; without one he copies
 * his access by hand.
 */
export type PlayerApp = {
  readonly name: string
  readonly devices: readonly DeviceKind[]
  readonly store: string
  readonly open: string | null
}

export type PlayerLink = { readonly name: string; readonly open: string | null; readonly store: string }

/** The players of a device, each with the link that opens the playlist in it, where there is one. */
export function playersFor(
  apps: readonly PlayerApp[],
  device: DeviceKind,
  playlistAddress: string | null,
): readonly PlayerLink[] {
  return apps
    .filter(({ devices }) => devices.includes(device))
    .map((app) => ({
      ...{ name: app.name, store: app.store },
      open: playlistAddress === null ? null : appLink(app, playlistAddress),
    }))
}

/** The link that opens a playlist in an app; null when it has none. */
export function appLink(app: PlayerApp, playlistAddress: string): string | null {
  if (app.open === null) return null
  const { host, pathname, search, protocol } = new URL(playlistAddress)
  const values: Record<string, string> = {
    url: encodeURIComponent(playlistAddress),
    host,
    path: `${pathname}${search}`,
    scheme: protocol.slice(0, -1),
    store: encodeURIComponent(app.store),
  }
  return app.open.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}

/** The device a browser says it runs on. */
export function deviceOf(userAgent: string | null): DeviceKind {
  if (/iPhone|iPad|iPod/.test(userAgent ?? "")) return "ios"
  return /Android/.test(userAgent ?? "") ? "android" : "other"
}
