import { data } from "react-router"
import { servicesContext } from "~/context/services.server"
import { DraftStepForm } from "~/domain/forms/draft-step-form"
import { COUNTED_STEPS } from "~/domain/forms/hidden-fields"
import { countDraftSteps } from "~/flows/checkout/count-draft-steps.server"
import { suggestDomain } from "~/flows/checkout/suggest-email.server"
import { formOf } from "~/http/form.server"
import { isBot } from "~/http/human-navigation.server"
import { allowMethods } from "~/middleware/allowed-methods.server"
import { noStore } from "~/middleware/cache-control.server"
import { rejection } from "~/middleware/rejected-request.server"
import type { LikelyDomainJson } from "~/ui/checkout/tell-step"
import type { Route } from "./+types/purchase-step"

export const middleware: Route.MiddlewareFunction[] = [noStore, rejection, allowMethods("POST")]

/**
 * The order form tells of a step before it is sent. Counts it, and says which domain the e-mail's is likely meant to be. It
 * writes no session: its response could come after the form's own, and undo it.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const form = await formOf(request)
  const sent = DraftStepForm.safeParse({
    step: form.get("step"),
    plan: form.get("plan"),
    gateway: form.get("gateway"),
    locale: form.get("locale"),
    [COUNTED_STEPS]: form.get(COUNTED_STEPS),
    domain: form.get("domain"),
  })
  if (!sent.success) throw data(null, { status: 400 })
  const { step, plan, gateway, locale, counted, domain } = sent.data
  if (!isBot(request)) {
    const draft = { choices: { plan, gateway }, locale, reached: [step], counted: counted.split(" ") }
    await countDraftSteps(context.get(servicesContext), draft)
  }
  const likely: LikelyDomainJson = { domain: domain === null ? null : suggestDomain(domain) }
  return Response.json(likely)
}
