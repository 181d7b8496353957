import { Form, Link } from "react-router"
import type { ShopLinks } from "~/domain/shop/shop-links"
import { useTranslation } from "~/i18n/use-translation"
import { ConfirmCard } from "../form/confirm-card"

const helps = ["guides", "speedTest", "support"] as const

/** Restart, recreate, and help links; links that are not configured are hidden. */
export function ServiceTiles({ serviceId, links }: { serviceId: string; links: ShopLinks }) {
  const { t } = useTranslation()
  return (
    <section className="card">
      <h2>{t("success.tools")}</h2>
      <ul className="tiles">
        <li>
          <Form method="post" preventScrollReset>
            <input type="hidden" name="serviceid" value={serviceId} />
            <button className="tile" name="intent" value="restart">
              <strong>{t("success.restart.name")}</strong>
            </button>
          </Form>
        </li>
        <li>
          <Link className="tile" to="?recreate#question" preventScrollReset>
            <strong>{t("success.recreate.name")}</strong>
          </Link>
        </li>
        {helps.map((help) => (
          <Help
            key={help}
            name={t(help === "support" ? "frame.support" : `success.${help}`)}
            address={links[help]}
          />
        ))}
      </ul>
    </section>
  )
}

function Help({ name, address }: { name: string; address: string | null }) {
  if (address === null) return null
  return (
    <li>
      <a className="tile" href={address} rel="noreferrer" target="_blank">
        <strong>{name}</strong>
      </a>
    </li>
  )
}

/** Asks for confirmation before the current credentials stop working. */
export function RecreateConfirm({ serviceId }: { serviceId: string }) {
  const { t } = useTranslation()
  return (
    <ConfirmCard heading={t("success.recreate.heading")}>
      <p className="lead">{t("success.recreate.lead")}</p>
      <Link className="main button" to="?">
        {t("success.recreate.keep")}
      </Link>
      <Form method="post">
        <input type="hidden" name="serviceid" value={serviceId} />
        <button className="large destroys" name="intent" value="recreate">
          {t("success.recreate.confirm")}
        </button>
      </Form>
    </ConfirmCard>
  )
}
