import type { PageHandle } from "~/ssr/document"
import { OfflinePage } from "~/ui/layout/offline-page"

export const handle = { title: "title.offline", public: false, kept: true } satisfies PageHandle

/** Asked for by the service worker ahead of time, once in every language. */
export function loader() {
  return null
}

export default function Offline() {
  return <OfflinePage />
}
