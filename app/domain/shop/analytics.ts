import { BASE } from "../base-path"
import { locales } from "../locales"

/** A script of the operator's choice that counts visitors, with what it is told in `data-` attributes. */
export type Analytics = {
  readonly src: string
  readonly data: Readonly<Record<string, string>>
}

const FIRST_PAGE = new RegExp(`^${BASE}(${locales.map(({ prefix }) => prefix).join("|")})/?$`)

/**
 * Whether visitors are counted on a page. On the first page alone: on every other one a password is typed, or an order
 * or somebody's access is shown, and a stranger's script could read it.
 */
export function isTracked({ pathname, search }: Pick<URL, "pathname" | "search">): boolean {
  return FIRST_PAGE.test(pathname) && !new URLSearchParams(search).has("signin")
}
