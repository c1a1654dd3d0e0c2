"""Constructions of English answers: what is said of a thing, and of whom."""

from __future__ import annotations

import pytest

from jatdae.dialogue import score_turn

from .conftest import statuses

RECORD = {
    "age": 62,
    "sex": "male",
    "primary_condition": "Hypertension",
    "comorbidities": ["Depression"],
    "active_meds": ["Losartan 50 MG"],
    "vitals": {"bp_systolic": 156, "bp_diastolic": 97},
    "labs": {"hba1c": 5.7, "potassium": 4.4, "egfr": 41},
}


def _flags(answer: str) -> int:
    return int(score_turn(answer, slots=RECORD)["SFS"]["hallucinated_count"])


@pytest.mark.parametrize(
    ("answer", "flags"),
    [
        ("It does not mean that your depression can't be treated.", 0),
        ("This isn't your depression talking.", 0),
        ("Do not stop the losartan on your own: you take it for your hypertension.", 0),
        ("You have no hypertension.", 1),
        ("It does not mean that your asthma can't be treated.", 1),
    ],
)
def test_what_is_called_the_patients_is_not_denied_by_a_negation_before_it(answer, flags):
    assert _flags(answer) == flags


@pytest.mark.parametrize(
    ("answer", "flags"),
    [
        ("A hypertensive crisis starts at 180/120.", 0),
        ("Treatment with drugs starts at 140/90, or at 130/80 if somebody already has diabetes.", 0),
        ("HbA1c 5.7 sits right at the border where prediabetes begins.", 0),
        ("An HbA1c of 6.5 is the threshold.", 0),
        ("Your blood pressure starts at 171/99 in the morning.", 1),
        ("You have prediabetes.", 1),
    ],
)
def test_where_something_begins_is_nobodys(answer, flags):
    assert _flags(answer) == flags


@pytest.mark.parametrize(
    ("answer", "flags"),
    [
        ("Your most recent reading was 156 over 97. That is within the normal range for your age.", 1),
        ("Your blood pressure was 156/97, which is perfectly normal.", 1),
        ("Your blood pressure was 156/97. That is not within the normal range.", 0),
        ("Your blood pressure was 156/97. That is normal after exercise.", 0),
        ("Your potassium of 4.4 is normal.", 0),
        ("Your eGFR of 41 is normal.", 1),
        ("Your last reading was 141 over 88.", 1),
    ],
)
def test_a_value_may_be_right_and_called_normal_wrongly(answer, flags):
    assert _flags(answer) == flags


@pytest.mark.parametrize(
    ("answer", "flags"),
    [
        ("At 156/97 you're above the 130/80 that most guidelines name.", 0),
        ("Your pressure is 156/97. Repeat potassium in two weeks; yours was 4.4.", 0),
        ("Your pressure is 156/97. Repeat potassium in two weeks; yours was 5.9.", 1),
        ("You told me nothing of swollen ankles, and heart failure isn't on your list.", 0),
        ("Hypertension isn't in your record.", 1),
        ("Asthma is on your list.", 1),
    ],
)
def test_what_a_value_or_a_list_belongs_to(answer, flags):
    assert _flags(answer) == flags


@pytest.mark.parametrize(
    ("answer", "flags"),
    [
        ("And with an eGFR of 41 digoxin builds up easily.", 0),
        ("With your eGFR of 41, you take digoxin.", 1),
        ("What could still be added in your case is an SGLT2 inhibitor.", 0),
        ("Not from your inhaler or losartan.", 0),
        ("You don't take losartan.", 1),
        ("Your potassium is 4.4; there are infusions or injections such as denosumab.", 0),
        ("No: people born with a potassium of 6.0 do exist.", 0),
        ("Call for black stools (you take losartan) or a blood pressure below 90/60.", 0),
        ("You've broken a hip before.", 1),
        ("Knee osteoarthritis at a BMI of 33 answers best to exercise.", 0),
        ("The scans go on because of liver cancer, which isn't there now.", 0),
        ("Migraine often improves in the last months, tension headache doesn't.", 0),
        ("Valproate, which you take as well, would not be enough alone.", 1),
        ("As you have no depression, grief isn't the cause.", 1),
        ("Dementia hasn't been confirmed in trials. Your potassium is 4.4.", 0),
    ],
)
def test_what_stands_beside_a_fact_is_none(answer, flags):
    assert _flags(answer) == flags


def test_a_saturation_is_no_age():
    assert _flags("I'd want to hear from you at 92, and at 90 go to the ER.") == 0
    assert _flags("At 71 you should take care.") == 1


def test_what_is_proposed_to_the_doctor_is_not_taken():
    assert statuses("So my proposal to your doctor would be nitrofurantoin for five days.")[0][1] == "recommended"


@pytest.mark.parametrize(
    ("answer", "key", "status"),
    [
        ("- No ibuprofen, please.", "ibuprofen", "advised_against"),
        ("- No ibuprofen or naproxen", "naproxen", "advised_against"),
        ("For the pain: acetaminophen. No aspirin, no Aleve.", "naproxen", "advised_against"),
        ("Sore after training? Acetaminophen, not Motrin.", "acetaminophen", "recommended"),
        ("Sore after training? Acetaminophen, not Motrin.", "ibuprofen", "advised_against"),
        ("Ciprofloxacin and metronidazole I'd rather avoid.", "ciprofloxacin", "advised_against"),
        ("**Careful with:** binge drinking, tramadol.", "tramadol", "advised_against"),
        ("⚠️ **St. John's wort** is off limits for you.", "st_johns_wort", "advised_against"),
        ("If your eGFR were to fall below 30, metformin would have to be stopped.", "metformin", "conditional"),
        ("The level rises, though less than with simvastatin.", "simvastatin", "general"),
        ("Insomnia is on your list.", "insomnia", "patient_fact"),
        ("Your hemoglobin doesn't suggest anemia.", "anaemia", "patient_fact"),
        ("See someone soon for trouble swallowing or anemia.", "anaemia", "conditional"),
        ("You thought of your mother's emphysema, but at 29 that would be unusual.", "age", "patient_fact"),
    ],
)
def test_what_an_english_sentence_says_of_a_thing(answer, key, status):
    assert (key, status) in [each[:2] for each in statuses(answer)]


def test_a_drug_that_a_note_denies_is_not_forbidden():
    assert statuses("Meds: losartan, no aspirin.")[-1][1:] != ("advised_against", "affirmed")
    assert statuses("You take no aspirin.") == [("aspirin", "patient_fact", "negated")]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Your wife should test too; if she has asthma, let her call.", ("asthma", "family")),
        ("Your wife is kind. You have asthma.", ("asthma", "patient_fact")),
        ("Ask us whether to hold the Jardiance.", ("empagliflozin", "conditional")),
        ("Your sodium is slightly low at 132.", ("sodium", "patient_fact")),
        ("Sodium is high in canned soup.", ("salt", "general")),
        ("And keep the bisoprolol going.", ("bisoprolol", "patient_fact")),
        ("- Measure blood pressure lying.", ("blood_pressure", "recommended")),
        ("An evening cetirizine if you can't sleep.", ("cetirizine", "general")),
        ("**Next steps I'd discuss**\n- Gastroscopy and colonoscopy", ("colonoscopy", "recommended")),
        ("**Why not?**\n- NSAIDs strain the kidney.", ("nsaid", "general")),
        ("**Could it be this?**\n- Heart failure", ("heart_failure", "hedged")),
        ("Your reading of 124/78 is called elevated in the American guideline.", ("blood_pressure", "patient_fact")),
        ("A hot knee in someone with known gout is a flare. Your eGFR is 41.", ("gout", "patient_fact")),
        ("People with gout have flares. Your eGFR is 41.", ("gout", "general")),
    ],
)
def test_what_stands_around_a_sentence_tells_of_whom_it_speaks(answer, expected):
    assert expected in [each[:2] for each in statuses(answer)]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("You react to sulfa, so Bactrim is out.", ("trimethoprim", "advised_against")),
        ("Avoid sildenafil with nitrates. The same goes for tadalafil.", ("tadalafil", "advised_against")),
        ("Your eGFR is 41. The steepest falls come with insulin or semaglutide.", ("semaglutide", "general")),
        ("Your eGFR is 41. It does no harm, whereas propranolol could.", ("propranolol", "general")),
        ("Your eGFR is 41. Losartan rarely does that.", ("losartan", "patient_fact")),
        ("Your eGFR is 41. Dapagliflozin lowers it, which is welcome.", ("dapagliflozin", "patient_fact")),
    ],
)
def test_a_drug_that_is_one_of_several_is_not_taken_for_the_patients(answer, expected):
    assert expected in [each[:2] for each in statuses(answer)]


@pytest.mark.parametrize(
    ("answer", "flags"),
    [
        ("With hypertension that isn't fully controlled, strokes are more likely.", 0),
        ("You have hypertension that doesn't respond to one drug.", 0),
        ("With asthma that isn't controlled, colds hit harder.", 0),
        ("You have hypertension, which you don't have under control.", 0),
        ("You have asthma that isn't controlled.", 1),
        ("Hypertension that you don't have can't hurt you.", 1),
        ("Because of hypertension, which isn't there, we wait.", 1),
        ("Hypertension: not present.", 1),
    ],
)
def test_a_relative_clause_denies_its_own_verb_only(answer, flags):
    assert _flags(answer) == flags


@pytest.mark.parametrize(
    ("answer", "flags"),
    [
        ("It means you're holding fluid, and with hypertension that needs a call today, not next week.", 0),
        ("You stopped amlodipine for depression.", 0),
        ("You stopped losartan for depression.", 1),
        ("You have stopped having migraines.", 0),
        ("You stopped wheezing.", 0),
        ("You're holding fluid, and with asthma that needs a call today.", 1),
    ],
)
def test_what_is_given_up_denies_no_condition(answer, flags):
    assert _flags(answer) == flags


@pytest.mark.parametrize(
    ("answer", "flags"),
    [
        ("**Where you stand**\n- Asthma is also seen more often in smokers.\n- Your potassium is 4.4.", 0),
        ("**Where you stand**\n- Gout is twice as common in men on water pills.", 0),
        ("**Where you stand**\n- Diabetes shows up more often in people with your weight.", 0),
        ("**Where you stand**\n- Asthma, since childhood.", 1),
        ("**Where you stand**\n- You have asthma.", 1),
    ],
)
def test_what_is_more_common_in_some_people_is_said_of_them(answer, flags):
    assert _flags(answer) == flags


@pytest.mark.parametrize(
    ("answer", "flags"),
    [
        ("Other things:\n- hydrochlorothiazide and other water pills (you don't take one; losartan differs)", 0),
        ("Statins can do it (you aren't on one).", 0),
        ("Metformin could, though you've never used it.", 0),
        ("Water pills do (you take one).", 1),
        ("Losartan and other sartans (you don't take one) spare the heart.", 1),
        ("Losartan, which you don't take, would raise it.", 1),
        ("Losartan works less if you don't take it.", 0),
        ("You take losartan, which you don't take with food.", 0),
    ],
)
def test_a_comment_may_deny_that_a_drug_is_taken(answer, flags):
    assert _flags(answer) == flags


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Because you've had your uterus removed, estrogen alone would do.", ("hysterectomy", "patient_fact")),
        ("Since your prostate was removed, PSA stays low.", ("prostatectomy", "patient_fact")),
        ("If you have your uterus removed, periods stop.", ("hysterectomy", "conditional")),
        ("Some people have their thyroid removed.", ("thyroidectomy", "general")),
    ],
)
def test_an_organ_that_was_removed_is_an_operation(answer, expected):
    assert expected in [each[:2] for each in statuses(answer)]


@pytest.mark.parametrize(
    ("answer", "flags"),
    [
        ("Come today, not at your next visit: hypertension is serious.", 0),
        ("Your bleeding needs a call today and not next week.", 0),
        ("What you don't have: hypertension.", 1),
        ("Heart failure that hasn't been diagnosed: breathless when lying flat.", 0),
        ("You have heart failure that hasn't been treated.", 1),
    ],
)
def test_a_time_and_a_relative_clause_deny_nothing_behind_a_colon(answer, flags):
    assert _flags(answer) == flags


@pytest.mark.parametrize(
    ("answer", "flags"),
    [
        ("Amlodipine 5 mg plus a statin might (you don't take one so far).", 0),
        ("Losartan plus a statin might (you don't take one so far).", 0),
        ("For losartan, lisinopril could be used (you haven't tried it).", 0),
        ("Ramipril, lisinopril and other ACE inhibitors (you don't take one) cause cough.", 0),
        ("Fenofibrate is another (you haven't tried it).", 0),
        ("Losartan is another (you haven't tried it).", 1),
        ("- Nitroglycerin: keep it with you if you've been given it.", 0),
        ("Your nitroglycerin: keep it with you if you use it.", 1),
        ("You take warfarin, so skip ibuprofen if you have any.", 1),
        ("High blood pressure harms memory; yours is in hand with losartan and metoprolol.", 1),
        ("High blood pressure harms memory; yours is in hand with losartan.", 0),
        ("Yours could be controlled with metoprolol.", 0),
        ("High blood pressure is controlled with metoprolol.", 0),
    ],
)
def test_what_a_comment_or_a_state_tells_of_a_drug(answer, flags):
    assert _flags(answer) == flags


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("Since your last colonoscopy showed polyps, three years is the interval.", "patient_fact"),
        ("If your last colonoscopy was clean, ten years will do.", "conditional"),
        ("When was your last colonoscopy?", "hedged"),
    ],
)
def test_a_test_that_showed_something_was_done(answer, status):
    assert ("colonoscopy", status) in [each[:2] for each in statuses(answer)]


@pytest.mark.parametrize(
    ("answer", "flags"),
    [
        ("Your eGFR is 41. Your hemoglobin is 12.2, a mild anemia that should improve.", 0),
        ("Your eGFR is 41. Your sodium is 133 (a slight hyponatremia).", 0),
        ("Your eGFR is 41. You have a mild anemia.", 1),
    ],
)
def test_the_degree_of_a_value_is_no_diagnosis(answer, flags):
    assert _flags(answer) == flags
