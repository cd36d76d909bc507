package main

import (
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// lengths of the cycles in the JSON of cycles.
func lengths(t *testing.T, v map[string]any) (all []int) {
	t.Helper()
	for _, y := range v["cycles"].([]any) {
		all = append(all, int(y.(map[string]any)["length"].(float64)))
	}
	return all
}

const cyclesKeys = "a b score_a score_b max turns recoloured moved turned fixed differ cycles chains turned_cells only_a only_b " +
	"prefixes_tested prefixes_at_least_start copied_tested copied_at_least_start subsets all_subsets boundary correlation warnings"

func TestCyclesOfPublishedPairs(t *testing.T) {
	for _, c := range []struct {
		name                         string
		args                         []string
		lengths                      []int
		moved, turned, fixed, differ float64
		tested                       float64
	}{
		// One link is in the default letters, the other in Blackwood's.
		{"two of 469", []string{mcgavin469, mcgavin469a}, []int{2}, 2, 0, 254, 2, 0},
		{"two of 460", []string{keyring460, prior460}, []int{15, 9, 7, 6, 3, 2}, 42, 2, 212, 44, 15*13 + 9*7 + 7*5 + 6*4 + 3},
		{"both in one text", []string{keyring460 + "\n" + prior460 + "\n"}, []int{15, 9, 7, 6, 3, 2}, 42, 2, 212, 44, 320},
		{"a bundled board", []string{mcgavin469, "mcgavin-469"}, nil, 0, 0, 256, 0, 0},
	} {
		v := object(t, 0, append(append([]string{"cycles"}, c.args...), "--json")...)
		has(t, v, cyclesKeys)
		if got := lengths(t, v); !reflect.DeepEqual(got, c.lengths) {
			t.Errorf("%s: cycles of %v, want %v", c.name, got, c.lengths)
		}
		for key, want := range map[string]float64{"moved": c.moved, "turned": c.turned, "fixed": c.fixed, "differ": c.differ, "prefixes_tested": c.tested, "prefixes_at_least_start": 0} {
			if v[key] != want {
				t.Errorf("%s: %s %v, want %v", c.name, key, v[key], want)
			}
		}
	}
}

func TestCyclesText(t *testing.T) {
	status, out, errors := lastmile(t, "", "cycles", keyring460, prior460)
	if status != 0 {
		t.Fatalf("status %d: %s", status, errors)
	}
	for _, want := range []string{
		"k, score 460, to p, score 460",
		"42 pieces moved, 2 turned in place, 212 fixed: 44 cells differ",
		"turned: cells 232, 237",
		"cycle of 3: 204 → 211 → 229 → 204",
		"0 of 320 proper prefixes score 460 or more, the best 458",
		"all subsets of whole cycles: 0 of 126 subsets score 460 or more",
		"boundary and loss",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	status, out, _ = lastmile(t, "", "cycles", "riotte-464", "riotte-464")
	if want := "0 pieces moved, 0 turned in place, 256 fixed: 0 cells differ\n"; status != 0 || !strings.HasSuffix(out, want) {
		t.Errorf("status %d:\n%s", status, out)
	}
}

// Every prefix and subset is listed on request, as many as were counted.
func TestCyclesEach(t *testing.T) {
	v := object(t, 0, "cycles", keyring460, prior460, "--json", "--each")
	prefixes := 0
	for _, y := range v["cycles"].([]any) {
		y := y.(map[string]any)
		each, _ := y["each"].([]any)
		prefixes += len(each)
		if n := int(y["length"].(float64)); len(y["best_by_moves"].([]any)) != n-2 {
			t.Errorf("cycle of %d: %v", n, y["best_by_moves"])
		}
	}
	subsets := v["subsets"].(map[string]any)["tested"].(float64)
	if float64(prefixes) != v["prefixes_tested"] || float64(len(v["each_subset"].([]any))) != subsets || subsets != 126 {
		t.Errorf("%d prefixes of %v, %d subsets of %v", prefixes, v["prefixes_tested"], len(v["each_subset"].([]any)), subsets)
	}
}

// A partial board of another set than the official one is read with the pieces
// of the other board.
func TestCyclesOfOtherSets(t *testing.T) {
	status, letters, err := lastmile(t, "", "convert", "generated-1", "--to", "edges")
	if status != 0 {
		t.Fatal(err)
	}
	letters = strings.TrimSpace(letters)
	path := filepath.Join(t.TempDir(), "partial")
	if err := os.WriteFile(path, []byte(letters[:len(letters)-8]+"aaaaaaaa"), 0o600); err != nil {
		t.Fatal(err)
	}
	v := object(t, 0, "cycles", path, "generated-1", "--json")
	if only, _ := v["only_b"].([]any); len(only) != 2 || v["moved"] != 0.0 || v["fixed"] != 254.0 || len(v["chains"].([]any)) != 2 {
		t.Errorf("%v", v)
	}
}

func TestCyclesPicture(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cycles.svg")
	if status, _, err := lastmile(t, "", "cycles", keyring460, prior460, "--svg", path); status != 0 {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for d := xml.NewDecoder(file); err != io.EOF; {
		if _, err = d.Token(); err != nil && err != io.EOF {
			t.Fatal(err)
		}
	}
}

func TestCyclesRefuses(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"riotte-464"}, "1 board, want two"},
		{[]string{"-", "-"}, "both boards are -"},
		{[]string{"riotte-464", "generated-1"}, "two piece sets"},
		{[]string{"riotte-464", "no-such-board"}, "no such file"},
		{[]string{"riotte-464", "mcgavin-469", "--each"}, "--each goes with --json"},
		{[]string{"riotte-464", "mcgavin-469", "--svg", "-", "--json"}, "standard output"},
		{[]string{"riotte-464", "mcgavin-469", "--puzzle", "-"}, "--puzzle -"},
		{[]string{"riotte-464", "mcgavin-469", "--svg", "no/such/folder/x.svg"}, "--svg: "},
		{[]string{keyring460 + "\n" + prior460, "mcgavin-469"}, "want one each"},
	} {
		status, out, err := lastmile(t, "", append([]string{"cycles"}, c.args...)...)
		if status != statusBad || !strings.Contains(err, c.want) || out != "" {
			t.Errorf("%.80v: status %d, %q, want %q", c.args, status, err, c.want)
		}
	}
}

// Pairs of published boards that differ little.
const (
	mcgavin469  = "https://e2.bucas.name/#puzzle=JBlackwood+PMcGavin_469&board_w=16&board_h=16&board_edges=adcaaendadweadhdafwdafgfaemfacqeaencafqeadofaepdaeueaeseadteaacdcnfansnnwuwshlsuwvvlgsgvmtrsqvgtntqvkkntokvkpllkulplsnhltovncacofqfangwqwwvgstgwvphtgnnprqungqmqqkwhuwokvwlwlrqwpnqrhsknvpnscadpfvcawkrvvrnkglorhuqlnvhuusuvmonpwnspouqnlkvuqmokqhwmkrphlslrdadscpcarqvpntmqopstqrqphmorulwmnkolsntkqoqnuvgoosnqwsoqphssoggkdadgcrfavmkrmupmsthuqqwtoriqwmmrorrmtrgrqrtrgtmrnlktogllsquggtnqdaftfoeaknvopgtnhhlgwushiowumnlorkmngtrktlqtmnwlkounllwougolnkpgfackelfavhnltrwhluqrsrtuwvlrlgvvmkigrwpkqlhwwokluisowquiooiqpprocaepfufanhhuwkuhqtjktpjtloupvmjoijjmpppjhhrpkprhskppuvtkitvvrvmteabvfhcahwjhuhmwjnthjronuhhrjqphjskqpgmsrusgrhouptwhtkmtvrtkmhmrbafhcsbajwgsmsowtjisoqtjhmkqpjnmkgrjmpqgsuvpoujuwovummsotlgmmtplfabtbteagiwtomniiwpmtwvwksmwnplsrilpqwoivkvwjhukvrkhsjprgwvjppvwbaepeibawilinqwiphiqvjshmlljlkillqikovjqvijvuksikgikpnigvjnnvomjeabobjfalijjwgiiisjgsksslqjkiigqisoijuhsjosuslgoirilijurnvijmqlvbaeqfjbajrijingrjminsutmjtrugigtommihjumsiujggjiimhgujvmijpjlthjeaetbdaaidadgcadidactcadrbacgbabmdabufadubafjbabhcabvbacpcabhbaceaab"
	mcgavin469a = "https://e2.bucas.name/#puzzle=JBlackwood+PMcGavin_469_a&board_w=16&board_h=16&board_edges=arjaaftrarwfarkranwrancnaflnajefaftjanefarhnafprafqfafufarifaajrjtnatuttwqwukduqwvvdcucvlimuevcitievootihovopddoqdpdutkdihvtjajhnenatcwewwvcuicwvpkicttpmeqtceleeowkqwhovwdwdmewptemkuotvptujarpnvjawomvvmtocdhmkqedtvkqquqvlhtpwtuphqetdovqelhoekwlompkdudmrarujpjamevptilehpuiemepklhmqdwltohdutioehutqvchhetewuhepkuuhccorarcjmnavlomlqpluikqeewihmsewllmhmmlimcmemimcilmtdoihcddueqcciteraninhfaotvhpcitkkdcwqukshwqltdhmoltcimoideiltwdohqtddwhqchdtopcnajofdnavktdimwkdqemumiqwvdmdcvvloscmwpoedkwwhodqsuhweqshhseppmhjafpnqnatkkqwoqkeigoipgidhqpvlghsgglpppgkkmpopmkuoppqviosivvmvlifabvnkjakwgkqklwgtikgmhtqkkmgepkguoepclumqucmkhqpiwkiolivmiolklmbankjubagwculuhwigsuheigkloepgtlocmglpecuqvphqgqwhvqlluhidcllipdnabibifacswihltsswpliwvwoulwtpdumsdpewhsvovwgkqovmokugpmcwvgppvwbafpfsbawsdstewspksevguklddgdosddesohvgevsgvqousocsoptscvgttvhlgfabhbgnadsggwcsssugcuouudegosscesuhsgqkughuqudchsmsdsgqmtvsgledvbafengbagmsgstcmglstuqilgimqcscihllskgqlusqgccgsslkcqgvlsgpgdikgfafibraasrarcjarsrajijarmbajcbablrabqnarqbangbabkjabvbajpjabkbajfaab&motifs_order=jblackwood"
	keyring460  = "https://eternity2.dev/viewer?puzzle=k&puzzle_size=16&board_edges=abdaabgbabjbachbabhcacrbabpcacsbacocacpcadgcabmdacvbaencacqeaadcdsdagvgsjgwvhhlghrphrmorpjnmshvjourhplougoslmniovijnnqwiqwtqdafwdpcagnkpwlmnloglpstooiisngrivvlgrkhvoggksjwgistjjuhswswutgwsfafgcidakkgimnrkgwqntgiwigtgrjkglthjhjntgisjwgiitmrghmrmwuhmwokufadodgdagjigrijjqooiiqwotjkqklqjhuqlnhhusknhigmkrtrgrujthhrukprhdaepdhdaiqphjskqouiswovuklwoqttlqvnthnlvnvjnmqlvrpnqjttprsmtrtuseadtdweapmiwkqhmiklqvrnkwmmrttkmnlktlwoljhhwlsuhnnnstmqnmsomutmsdaftelfaijjlhukjlplunsvpmwkskuhwksiuowmshqkwunrqnpgnqgmpolugmtplfabtfubajvmukvwvlwvvvwtwkrvwhmorijjmmlljkillriligqiimokquvgophtvbafhbjfaminjwquivgtqtrkgvmkronpmjronluqrlwmulrqwilprkpllgmsptrvmfacrfqfanqoqugsqtnpgkolnknvoplsnorglqpqrmmupqgqmpniglomnsujovpsucaepfqeaosnqsskspwnslwvwvlrwslrlgmtlqhwmunvhqgtnimhgmiomjurisuvueaeueseantkskuvtnkouvkokrphkrqvptjoqwvgwvijvjpjihlsnovjqrtkvvviteabveteakkntvulkoujuopprhjqpvomjouqngrustrqrjsiusphsjpppkrwpsjprbafjeqbaoriqwhtrjumhsthuovntmjovqwsouiowqlhwiwilhptwpskphwusppvwfadubeaaibaeteabmfaehcafnfacoeafpbaeoeabndaeidadtcadkfacufafvcafdaac"
	prior460    = "https://eternity2.dev/viewer?puzzle=p&puzzle_size=16&board_edges=abdaabgbabjbachbabhcacrbabpcacsbacocacpcadgcabmdacvbaencacqeaadcdsdagvgsjgwvhhlghrphrmorpjnmshvjourhplougoslmniovijnnqwiqwtqdafwdpcagnkpwlmnloglpstooiisngrivvlgrkhvoggksjwgistjjuhswswutgwsfafgcidakkgimnrkgwqntgiwigtgrjkglthjhjntgisjwgiitmrghmrmwuhmwokufadodgdagjigrijjqooiiqwotjkqklqjhuqlnhhusknhigmkrtrgrujthhrukprhdaepdhdaiqphjskqouiswovuklwoqttlqvnthnlvnvjnmqlvrpnqjttprsmtrtuseadtdweapmiwkqhmiklqvrnkwmmrttkmnlktlwoljhhwlsuhnnnstmqnmsomutmsdaftelfaijjlhukjlplunsvpmwkskuhwksiuowmshqkwunrqnpgnqgmpolugmtplfabtfubajvmukvwvlwvvvwtwkrvwhmorijjmmlljkillriligqiimokquvgophtvbafhbjfaminjwquivgtqtrkgvmkronpmjronluqrlwmulrqwilprkpllgmsptrvmfacrfqfanqoqugsqtnpgkolnknvoplsnorglqpqrmmupqgqmpniglomnsujovpsucaepfqeaosnqsskspwnslwvwvlrwslrlgmtlqhwmunvhqgtnimhgmiomjurisuvueaeueseantkskuvtnkouvkokrphkropptwhpwvgwvijviwilhtrwovntrtkvjoqteafoeteakkntvulkovjqomjvhjumpppjhsspgrusqvpritvvrqrtnouqkrwpqwsofacneqbaoriqlhwqjqphjovmujuopjijsiujowuippvwpskprsjpnhlswushsthucadtbeaaibaeteabpbaeveabndaeidadufadufafvcafkfacjbafoeabmfaehcafdaac"
)
