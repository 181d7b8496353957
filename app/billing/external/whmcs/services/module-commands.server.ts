import { AnyResponse } from "../client/api.server"
import { nullOnError } from "../client/errors"
import type { Whmcs } from "../context.server"

/** WHMCS's error for a product without a server module. */
export const NO_MODULE = /not assigned to a module/i

/**
 * Pushes a changed service to the panel with ModuleChangePackage; does nothing for a product without a server module.
 */
export async function pushToPanel({ api }: Whmcs, serviceid: string): Promise<void> {
  await nullOnError(NO_MODULE, api.write("ModuleChangePackage", { serviceid }, AnyResponse))
}

/**
 * Runs a custom function of the server module: `reboot` calls `mymodule_reboot`, see
 * https://developers.whmcs.com/provisioning-modules/custom-functions/
 */
export async function runCustom({ api }: Whmcs, serviceid: string, func_name: string): Promise<void> {
  await api.write("ModuleCustom", { serviceid, func_name }, AnyResponse)
}
