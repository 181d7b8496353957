import { localText } from "~/domain/local-time"
import { consoleText as t } from "~/i18n/console-texts.server"
import { Notice } from "../form-parts.server"
import { customerHref } from "../record-links.server"

type BannerProps = {
  customerId: string
  email: string
  until: number
  /** Addresses of the customer's other services. */
  services: readonly { readonly name: string; readonly href: string }[]
  timeZone: string
}

/** Says whose page this is, until when, and that nothing can be changed. */
export function CustomerViewBanner({ customerId, email, until, services, timeZone }: BannerProps) {
  return (
    <header className="as-customer">
      <p>{t("view.banner", { email, until: localText(until, timeZone) })}</p>
      {services.map(({ name, href }) => (
        <a key={href} href={href}>
          {name}
        </a>
      ))}
      <a href={customerHref(customerId)}>{t("view.back")}</a>
    </header>
  )
}

/** The view has ended, or there is nothing to see. */
export function NoCustomerViewScreen({ customerId, why }: { customerId: string; why: "over" | "none" }) {
  return (
    <>
      <h1>{t("customer.action.view-as-customer.name")}</h1>
      <Notice kind="warning">{t(`view.${why}`)}</Notice>
      <p>
        <a href={customerHref(customerId)}>{t("view.back")}</a>
      </p>
    </>
  )
}
