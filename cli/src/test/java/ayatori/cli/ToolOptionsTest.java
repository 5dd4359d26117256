package ayatori.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ToolOptionsTest {
    @Test
    void splitsAsHotSpotDoes() {
        assertEquals(List.of("-Da=1", "-Db=x y", "-Dc=it's"), ToolOptions.split("  -Da=1\t-Db='x y' -Dc=\"it's\"\n"));
    }

    @Test
    void quotesJoinWhatStandsBesideThem() {
        assertEquals(List.of("-agentpath:/a b/c=d"), ToolOptions.split("-agentpath:\"/a b/\"c'='d"));
    }

    @Test
    void leavesAnUnmatchedQuoteToHotSpot() {
        assertEquals(List.of("-Da=x y"), ToolOptions.split("-Da='x y"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-agentpath:/a/b", "/with space/x", "it's", "say \"hi\"", "'\" \"'", "tab\there"})
    void whatIsQuotedIsReadAsOneArgument(String argument) {
        assertEquals(List.of("-Dfirst", argument), ToolOptions.split(ToolOptions.append("-Dfirst", argument)));
    }

    @Test
    void anEmptyValueGetsNoLeadingSpace() {
        assertEquals("-x", ToolOptions.append("", "-x"));
    }
}
