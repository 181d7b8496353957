import type { WorkingLine } from "~/provisioning/provisioner"

/**
 * Base URL of a panel from the operator's setting: scheme, host, port and sub-path, without file, query and trailing
 * slash. Takes an http or https URL.
 */
export function panelBase(url: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname.replace(/\/[^/]*\.php$/, "").replace(/\/+$/, "")}`
}

/** Playlist URL of a service at an Xtream-style panel. */
export function channelListAddress({ host, username, password }: WorkingLine): string {
  const [user, secret] = [username, password].map(encodeURIComponent)
  return `${host}/get.php?username=${user}&password=${secret}&type=m3u_plus&output=m3u8`
}
