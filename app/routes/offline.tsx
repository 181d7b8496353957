import type { PageHandle } from "~/ssr/document"
import { OfflinePage } from "~/ui/interstitials/offline-page"

export const handle = { title: "scriptless.offline", public: false, isOfflinePage: true } satisfies PageHandle

/** Fetched in advance by the service worker, once for each locale. */
export function loader() {
  return null
}

export default function Offline() {
  return <OfflinePage />
}
