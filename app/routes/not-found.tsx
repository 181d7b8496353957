import { data } from "react-router"
import type { PageHandle } from "~/ssr/document"

export const handle = { title: "title.notFound", public: false } satisfies PageHandle

/** A page that does not exist answers 404, not a page that only says so. */
export function loader() {
  throw data({ kind: "not-found" }, { status: 404 })
}

export const action = loader

export default function NotFound() {
  return null
}
