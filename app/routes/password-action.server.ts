import { parseWithZod } from "@conform-to/zod/v4"
import { data, type RouterContextProvider } from "react-router"
import { servicesContext } from "~/context/services.server"
import { sessionContext, updateSession } from "~/context/session.server"
import { PasswordForm } from "~/domain/forms/service-form"
import { setPassword } from "~/flows/customers/set-password.server"
import { rateLimitSubject } from "~/middleware/rate-limit-subject.server"

type Refused = {
  readonly errors: Record<string, string[] | null>
  readonly status: 400 | 422 | 429 | 503
  /** Seconds to wait before the next attempt; 0: none. */
  readonly wait: number
}

/** Sets a customer's password. Returns the errors by field, or null on success. */
export async function handlePasswordAction(
  form: FormData,
  context: Readonly<RouterContextProvider>,
): Promise<Refused | null> {
  const submission = parseWithZod(form, { schema: PasswordForm })
  if (submission.status !== "success") return { errors: submission.error ?? {}, status: 400, wait: 0 }
  const { customer } = context.get(sessionContext)
  const chosen = { password: submission.value.password, who: rateLimitSubject(context) }
  const services = context.get(servicesContext)
  const change = await setPassword(services, customer, chosen)
  switch (change.kind) {
    case "not-permitted":
      throw data({ kind: "not-found" }, { status: 404 })
    case "guessable":
      return { errors: { password: ["password.guessable"] }, status: 422, wait: 0 }
    case "too-many":
      return { errors: { password: ["password.too-many"] }, status: 429, wait: change.retryAfterSeconds }
    case "overloaded":
      return { errors: { password: ["signIn.busy"] }, status: 503, wait: change.retryAfterSeconds }
    case "done":
      // All earlier sessions have been ended, this one included: it continues under a new id.
      updateSession(context, { id: null, sealedAt: services.now(), passwordEnded: undefined })
      return null
  }
}
