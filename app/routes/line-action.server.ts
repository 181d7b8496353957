import { data, type RouterContextProvider, redirect } from "react-router"
import { localeContext } from "~/context/locale.server"
import { requestContext } from "~/context/request.server"
import { servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import { LineForm } from "~/domain/forms/reseller-form"
import { pathOf } from "~/domain/screen-paths"
import { createLine } from "~/flows/resellers/create-line.server"
import { accessibleService } from "~/flows/services/accessible-services.server"
import { refused, submitted } from "~/http/submitted-form.server"
import { screenHref } from "./screen-href.server"

type Args = { request: Request; context: Readonly<RouterContextProvider> }

/** Creates a line for a reseller's customer. A service of another account answers 404. */
export async function handleLineAction(form: FormData, { request, context }: Args) {
  const submission = submitted(form, LineForm)
  if (submission.status !== "success") return data({ lastResult: refused(submission) }, { status: 400 })
  const services = context.get(servicesContext)
  const session = context.get(sessionContext)
  const { serviceid, ...input } = submission.value
  const service = await accessibleService(services, session, serviceid)
  const { customer } = session
  if (service?.kind !== "reseller" || customer?.id !== service.customerId) {
    throw data({ kind: "not-found" }, { status: 404 })
  }
  const { address } = context.get(requestContext)
  const line = await createLine(services, {
    ...input,
    customer,
    service,
    locale: context.get(localeContext).code,
    address,
    country: await services.countryOf({ address, headers: request.headers }),
    browser: session.visitor,
  })
  if (line.kind !== "made") {
    const status = line.kind === "held" ? 403 : 422
    return data(
      { lastResult: refused(submission, { formErrors: [`resellers.line.${line.kind}`] }) },
      { status },
    )
  }
  throw redirect(`${screenHref(context, pathOf.reseller.success)}?done=line`, 303)
}
