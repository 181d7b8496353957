import { data } from "react-router"
import { servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import { ownsAccount } from "~/domain/customers/customer"
import { TopUpForm } from "~/domain/forms/top-up-form"
import type { Service } from "~/domain/services/service"
import { topUp } from "~/flows/services/top-up.server"
import { refused, submitted } from "~/http/submitted-form.server"
import { placeServiceOrder, type RouteArgs } from "../order/place-service-order.server"

/**
 * Places an order of account credit and redirects to the gateway: for the customer signed in for the whole account only, as
 * the credit is the account's. Returns why the form is refused.
 */
export async function orderTopUp(form: FormData, args: RouteArgs, service: Service) {
  const { customer } = args.context.get(sessionContext)
  if (customer === null || !ownsAccount(customer, service)) throw data({ kind: "not-found" }, { status: 404 })
  const submission = submitted(form, TopUpForm)
  if (submission.status !== "success") return data({ lastResult: refused(submission) }, { status: 400 })
  const { key, amount, gateway } = submission.value
  const services = args.context.get(servicesContext)
  return placeServiceOrder(args, {
    form,
    submission,
    key,
    gateway,
    law: "sale",
    place: (buyer) => topUp(services, { ...buyer, customer, service, key, amount, gateway }),
  })
}
