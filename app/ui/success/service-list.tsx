import { Link } from "react-router"
import type { Service } from "~/domain/service"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { planName } from "../layout/plan-name"

export type ServiceListed = Pick<Service, "id" | "name" | "username" | "status">

/** The visitor's services; one is selected. */
export function ServiceList({ services, shown }: { services: readonly ServiceListed[]; shown: string }) {
  const { t } = useTranslation()
  const locale = useLocale()
  return (
    <nav className="card services" aria-labelledby="services">
      <h2 id="services">{t("success.services")}</h2>
      <ul>
        {services.map(({ id, name, username, status }) => (
          <li key={id}>
            <Link to={`?serviceid=${id}`} aria-current={id === shown ? "true" : undefined}>
              <strong>{planName(name, locale)}</strong>{" "}
              <small>
                {username} · {t(`success.status.${status}`)}
              </small>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
