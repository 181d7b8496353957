import { createContext } from "react-router"
import type { OperatorSession } from "~/billing/operators/operators"
import type { RouteContext } from "~/context/route-context"
import { BASE } from "~/domain/base-path"
import { requestContext } from "./request.server"
import type { ConsoleServices } from "./services.server"

/** Cookie of an operator's session: sent to the console only. */
export const CONSOLE_COOKIE = "console"
/** Cookie by which a browser is known in which an operator has signed in. */
export const DEVICE_COOKIE = "console-device"
export const CONSOLE_PATH = `${BASE}/admin`

/** Services of the console; set by the guard that answers 404 where there is none. */
export const consoleContext = createContext<ConsoleServices>()

/** The signed-in operator; null on the pages before the sign-in. */
export const operatorContext = createContext<OperatorSession | null>(null)

/** Query parameter of a page to which a form has led that had acted before. */
export const SENT_BEFORE = "sent-before"

/** Query parameter of the sign-in to which a form has led whose session had ended. */
export const UNSENT = "unsent"

/** Whether the page says that the form had acted before. */
export const sentBeforeContext = createContext(false)

/** What a page behind the sign-in works with. Throws on a page before it. */
export function consoleRequest(context: RouteContext) {
  const session = context.get(operatorContext)
  if (!session) throw new Error("This page is not behind the console's sign-in")
  const { address } = context.get(requestContext)
  return { services: context.get(consoleContext), session, actor: { session, address } }
}
