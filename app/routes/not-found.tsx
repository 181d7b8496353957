import { data } from "react-router"
import type { PageHandle } from "~/ssr/document"

export const handle = { title: "title.notFound", public: false } satisfies PageHandle

/** Throws 404: without it the not-found page would answer 200. */
export function loader() {
  throw data({ kind: "not-found" }, { status: 404 })
}

export const action = loader

export default function NotFound() {
  return null
}
