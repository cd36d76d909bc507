// The rooms, in the order of the page's menu. A new one is a file here, its texts
// and one line.
import type { Room } from "../room";
import { cycles } from "./cycles";
import { desk } from "./desk";
import { ledger } from "./ledger";
import { repair } from "./repair";
import { virus } from "./virus";
import { wall } from "./wall";

export const rooms: readonly Room[] = [repair, ledger, wall, cycles, desk, virus];
