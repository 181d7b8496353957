import type { PageHandle } from "~/document"
import { resellersOnly } from "~/middleware/resellers-only.server"
import type { Route } from "./+types/reseller-success"

export const middleware: Route.MiddlewareFunction[] = [resellersOnly]
export const handle = { title: "title.resellers", public: false } satisfies PageHandle

/** A guarded route needs a loader, or the browser would enter it without asking the server. */
export const loader = () => null
