/** Help links; null if not configured (specification, Screens: utilities tiles). */
export type ShopLinks = {
  readonly guides: string | null
  readonly speedTest: string | null
  readonly support: string | null
}

/** Whether an address is one of those that are reserved for examples (RFC 2606), such as the demo's. */
export function reachesNobody(address: string): boolean {
  return /[@./]example(?:\.(?:com|net|org))?(?:[/?#:]|$)/.test(address)
}

/** Device kinds: app links depend on them. */
export const deviceKinds = ["ios", "android", "other"] as const
export type DeviceKind = (typeof deviceKinds)[number]

/**
 * A player app. `open`: link template that opens the playlist in it, with `{url}` for the encoded playlist URL, `{host}`
 * and `{path}` for its parts, and `{store}` for the encoded store URL. Without it the buyer enters the login details by
 * hand.
 */
export type PlayerApp = {
  readonly name: string
  readonly devices: readonly DeviceKind[]
  readonly store: string
  readonly open: string | null
}

export type PlayerLink = { readonly name: string; readonly open: string | null; readonly store: string }

/** Player apps of a device with their links, if any. */
export function playersFor(
  apps: readonly PlayerApp[],
  device: DeviceKind,
  playlistAddress: string | null,
): readonly PlayerLink[] {
  return apps
    .filter(({ devices }) => devices.includes(device))
    .map((app) => ({
      name: app.name,
      store: app.store,
      open: playlistAddress === null ? null : appLink(app, playlistAddress),
    }))
}

/** Link that opens a playlist in an app; null without a template. */
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

/** Device kind by User-Agent. */
export function deviceOf(userAgent: string | null): DeviceKind {
  if (/iPhone|iPad|iPod/.test(userAgent ?? "")) return "ios"
  return /Android/.test(userAgent ?? "") ? "android" : "other"
}
