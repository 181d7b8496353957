import { AnyResponse } from "../client/api.server"
import { nullOnError } from "../client/errors"
import type { Whmcs } from "../context.server"
import { fieldNamed, type WhmcsService } from "./service-schema"

/** WHMCS's error for a product without a server module. */
export const NO_MODULE = /not assigned to a module/i

type ModuleAction = "ModuleCreate" | "ModuleTerminate" | "ModuleChangePackage" | "ModuleCustom"

/**
 * Runs an action of a service's server module. Throws `WhmcsError` with the panel's message, unless that contains the
 * credentials of the service: a panel may repeat them.
 */
export async function runModule(
  whmcs: Whmcs,
  action: ModuleAction,
  service: WhmcsService,
  params: { readonly func_name?: string } = {},
): Promise<void> {
  const request = { serviceid: service.id, ...params }
  await whmcs.api.write(action, request, AnyResponse, credentialsOf(whmcs, service))
}

/** The username and password of a service and of its custom fields, where they are known. */
export function credentialsOf({ settings }: Whmcs, service: WhmcsService): readonly string[] {
  const { username, password, customfields } = service
  const { fields } = settings
  const values = [fields.username, fields.password].map((name) => fieldNamed(customfields, name)?.value ?? "")
  return [username, password, ...values]
}

/**
 * Pushes a changed service to the panel with ModuleChangePackage; does nothing for a product without a server module.
 */
export async function pushToPanel(whmcs: Whmcs, service: WhmcsService): Promise<void> {
  await nullOnError(NO_MODULE, runModule(whmcs, "ModuleChangePackage", service))
}

/**
 * Runs a custom function of the server module: `reboot` calls `mymodule_reboot`, see
 * https://developers.whmcs.com/provisioning-modules/custom-functions/
 */
export async function runCustom(whmcs: Whmcs, service: WhmcsService, name: string): Promise<void> {
  await runModule(whmcs, "ModuleCustom", service, { func_name: name })
}
