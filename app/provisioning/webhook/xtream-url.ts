import type { WorkingLine } from "~/provisioning/provisioner"

/**
 * The base of a panel's addresses in what its operator gives: scheme, host, port and sub-path, without the file, the
 * query and the slash at the end (reference: playlist-and-devices, section 1). Takes an http or https URL.
 */
export function panelBase(url: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname.replace(/\/[^/]*\.php$/, "").replace(/\/+$/, "")}`
}

/** Where such panels hand out a line's channel list. */
export function channelListAddress({ host, username, password }: WorkingLine): string {
  const [user, secret] = [username, password].map(encodeURIComponent)
  return `${host}/get.php?username=${user}&password=${secret}&type=m3u_plus&output=m3u8`
}
