import { BASE } from "../base-path"
import { locales } from "../locales"

/** The operator's analytics script, with its `data-` attributes. */
export type Analytics = {
  readonly src: string
  readonly data: Readonly<Record<string, string>>
}

const FIRST_PAGE = new RegExp(`^${BASE}(${locales.map(({ prefix }) => prefix).join("|")})/?$`)

/**
 * Whether the analytics script runs on a page: on the first page only. All other pages contain passwords, orders or
 * credentials, which a third-party script could read.
 */
export function isTracked({ pathname, search }: Pick<URL, "pathname" | "search">): boolean {
  return FIRST_PAGE.test(pathname) && !new URLSearchParams(search).has("signin")
}
