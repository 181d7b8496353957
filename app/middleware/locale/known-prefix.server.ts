import { data, type MiddlewareFunction } from "react-router"
import { localeOfPrefix } from "~/domain/locales"

/**
 * An unknown prefix is 404, since `:locale?` matches any first segment. Pages call it after `locale`, which has led the visitor of a
 * mistyped address to their language.
 */
export const knownPrefix: MiddlewareFunction<Response> = ({ params }) => {
  if (localeOfPrefix(params.locale) === null) throw data({ kind: "not-found" }, { status: 404 })
}
