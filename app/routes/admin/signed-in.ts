import { operatorSignedIn } from "~/middleware/console.server"
import type { Route } from "./+types/signed-in"

export const middleware: Route.MiddlewareFunction[] = [operatorSignedIn]
