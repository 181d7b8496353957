import { localeContext } from "~/context/locale.server"
import { botContext } from "~/context/request.server"
import type { RouteContext } from "~/context/route-context"
import { servicesContext } from "~/context/services.server"
import { sessionContext, updateSession } from "~/context/session.server"
import { COUNTED_STEPS } from "~/domain/forms/hidden-fields"
import type { Choices } from "~/domain/orders/choices"
import { type DraftStep, draftSteps } from "~/domain/orders/purchase-step"
import { countDraftSteps } from "~/flows/checkout/count-draft-steps.server"

/** Counts that a selection was sent to be reviewed. The same selection again is the same purchase, another one is another. */
export async function countSubmitted(
  form: FormData,
  context: RouteContext,
  { choices, key }: { readonly choices: Choices; readonly key: string },
): Promise<void> {
  if (key === context.get(sessionContext).draft?.key) return
  await countReached(form, context, { choices, reached: [...draftSteps, "submitted"] })
  updateSession(context, { countedSteps: undefined })
}

/** Counts how far a stored selection has come, and remembers it in the session. */
export async function countChosen(form: FormData, context: RouteContext, choices: Choices): Promise<void> {
  const reached: readonly DraftStep[] = choices.email === null ? ["chosen"] : draftSteps
  await countReached(form, context, { choices, reached })
  const counted = context.get(sessionContext).countedSteps ?? []
  updateSession(context, {
    countedSteps: draftSteps.filter((it) => reached.includes(it) || counted.includes(it)),
  })
}

/** Counts steps of a viewer's draft, once each. Bots are not counted. */
async function countReached(
  form: FormData,
  context: RouteContext,
  { choices, reached }: { choices: Choices; reached: readonly (DraftStep | "submitted")[] },
): Promise<void> {
  if (choices.kind !== "plan" || context.get(botContext)) return
  await countDraftSteps(context.get(servicesContext), {
    choices,
    locale: context.get(localeContext).code,
    reached,
    counted: countedIn(form, context),
  })
}

/** The steps that were counted in this browser before: by the session, and by the script of the page. */
export function countedIn(form: FormData, context: RouteContext): readonly string[] {
  const { countedSteps = [] } = context.get(sessionContext)
  return [...countedSteps, ...String(form.get(COUNTED_STEPS) ?? "").split(" ")]
}
