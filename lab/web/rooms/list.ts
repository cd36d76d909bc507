// The rooms, in the order of the page's menu. A new one is a file here, its texts
// and one line. That of a run to be watched is there when the server has one.
import type { Room } from "../room";
import { cycles } from "./cycles";
import { desk } from "./desk";
import { ledger } from "./ledger";
import { live } from "./live";
import { repair } from "./repair";
import { virus } from "./virus";
import { wall } from "./wall";

export const rooms: readonly Room[] = [...(document.documentElement.dataset["live"] ? [live] : []), repair, ledger, wall, cycles, desk, virus];
