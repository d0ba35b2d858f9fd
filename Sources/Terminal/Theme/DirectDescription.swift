/// A terminfo entry for 24-bit color, compiled by `tic`, in the format of the TERMINFO variable.
///
/// Debian's base system has none. It is xterm-256color plus `RGB`, 24-bit `setaf` and `setab`, and 65,536 pairs. It lacks
/// `initc` (the palette is the user's), `bce` (missing in GNU screen) and `rep` (missing in several terminals). It is also used
/// on machines without an entry for a terminal that is compatible with xterm. `infocmp -x` prints it.
enum DirectDescription {
    /// The name of the entry.
    static let name = "xterm-tripshare"

    /// The compiled entry.
    static let entry = "b64:" + encoded.filter { !$0.isWhitespace }

    private static let encoded = """
        HgIqACYADwCdATIEeHRlcm0tdHJpcHNoYXJlfHh0ZXJtIHdpdGggZGlyZWN0IGNvbG91cnMAAAEAAAEAAAABAAAAAAEBAAAAAAAAAAAAAAEA
        AAAAAAAAAAAAAAFQAAAACAAAABgAAAD/////////////////////////////////////////////////////AAAAAQAAAQAAAAQABgAIABkA
        HgAmACoALgD//zkASgBMAFAAVwD//1kAZgD//2oAbgB4AHwA/////4AAhACJAI4A//+gAKUAqgD//68AtAC5AL4AxwDLANIA///kAOkA7wD/
        ////////////////////9QD///kA////////+wD//wAB//////////8EAQgBDgESARYBGgEgASYBLAEyATgBPAH//0EB//9FAUoBTwFTAVoB
        //9hAWUBbQH/////////////////////////////dQF+AYcB//+KAZMBnAGlAa4BtwHAAckB0gHbAf/////////////////////////////k
        AecB8gH1AfcB+gFXAv//WgL//////////1wCYAJkAmgCbAL/////cAL//6UC/////6kCrwL/////////////tQL/////////////uQK9Av//
        ////////////////////////////////////////////////////////////////wQL/////yAL//////////88C1gLdAv/////kAv//6wL/
        ///////yAv/////////////5Av8C////////////////////////////////////////////////////////////////////////////////
        ////////////////////////////////////////////////////////BQMKA///////////////////////////////////////////////
        ////////////EQMcAyEDNAM4A///////////////////////////////////QQP///////////////////////9GA///////////////////
        //////////////////////////////////9MA10D////////////////////////////////////////bwPCA///////////////////FQT/
        ////////////////////////////////////////////////////////////////////////////////////////////////////////////
        //8sBC8EG1taAAcADQAbWyVpJXAxJWQ7JXAyJWRyABtbM2cAG1tIG1sySgAbW0sAG1tKABtbJWklcDElZEcAG1slaSVwMSVkOyVwMiVkSAAK
        ABtbSAAbWz8yNWwACAAbWz8xMmwbWz8yNWgAG1tDABtbQQAbWz8xMjsyNWgAG1tQABtbTQAbKDAAG1s1bQAbWzFtABtbPzEwNDloG1syMjsw
        OzB0ABtbMm0AG1s0aAAbWzhtABtbN20AG1s3bQAbWzRtABtbJXAxJWRYABsoQgAbKEIbW20AG1s/MTA0OWwbWzIzOzA7MHQAG1s0bAAbWzI3
        bQAbWzI0bQAbW0wAfwAbWzN+ABtPQgAbT1AAG1syMX4AG09RABtPUgAbT1MAG1sxNX4AG1sxN34AG1sxOH4AG1sxOX4AG1syMH4AG09IABtb
        Mn4AG09EABtbNn4AG1s1fgAbT0MAG1sxOzJCABtbMTsyQQAbT0EAG1s/MWwbPgAbWz8xaBs9ABtbPzEwMzRsABtbPzEwMzRoABtFABtbJXAx
        JWRQABtbJXAxJWRNABtbJXAxJWRCABtbJXAxJWRAABtbJXAxJWRTABtbJXAxJWRMABtbJXAxJWREABtbJXAxJWRDABtbJXAxJWRUABtbJXAx
        JWRBABs4ABtbJWklcDElZGQAGzcACgAbTQAlPyVwOSV0GygwJWUbKEIlOxtbMCU/JXA2JXQ7MSU7JT8lcDUldDsyJTslPyVwMiV0OzQlOyU/
        JXAxJXAzJXwldDs3JTslPyVwNCV0OzUlOyU/JXA3JXQ7OCU7bQAbSAAJABtPdwAbT3kAG091ABtPcQAbT3MAYGBhYWZmZ2dpaWpqa2tsbG1t
        bm5vb3BwcXFycnNzdHR1dXZ2d3d4eHl5enp7e3x8fX1+fgAbW1oAG1s/N2gAG1s/N2wAG09FABtPRgAbT00AG1szOzJ+ABtbMTsyRgAbWzE7
        MkgAG1syOzJ+ABtbMTsyRAAbWzY7Mn4AG1s1OzJ+ABtbMTsyQwAbWzIzfgAbWzI0fgAbWzFLABtbPzY5bAAbWyVpJWQ7JWRSABtbNm4AG1s/
        JVs7MDEyMzQ1Njc4OV1jABtbYwAbWzM5OzQ5bQAbWzNtABtbMjNtABtbPzY5aBtbJWklcDElZHMAG1s/NjloG1slaTslcDElZHMAG1slPyVw
        MSV7OH0lPCV0MyVwMSVkJWUzODsyOyVwMSV7NjU1MzZ9JS8lZDslcDElezI1Nn0lLyV7MjU1fSUmJWQ7JXAxJXsyNTV9JSYlZCU7bQAbWyU/
        JXAxJXs4fSU8JXQ0JXAxJWQlZTQ4OzI7JXAxJXs2NTUzNn0lLyVkOyVwMSV7MjU2fSUvJXsyNTV9JSYlZDslcDElezI1NX0lJiVkJTttABtb
        PzY5aBtbJWklcDElZDslcDIlZHMAG2wAG20AAwAAABsAOQA+AQEBAQAAAAkAEgAZACUAKgA8AEMASgBQAFoAegCBAIgAjACQAJQAmACcAKAA
        pACoAKwAsAC0ALgAvgAAAAMABwAKAA0AEAATABYAGQAcAB8AIgAlACgAKwAvADMANwA7AD8AQwBHAE0AUwBZAF8AZQBrAHEAdgAbWz8yMDA0
        bAAbWz8yMDA0aAAbXTExMgcAG10xMjslcDElcwcAG1szSgAbXTUyOyVwMSVzOyVwMiVzBwAbWzIwMX4AG1syMDB+ABtbMiBxABtbJXAxJWQg
        cQAbWz8xMDA2OzEwMDAlPyVwMSV7MX0lPSV0aCVlbCU7ABtbMTsyQgAbWzE7MkEAG094ABtPdAAbT3YAG09yABtPRQAbT2sAG09sABtPbwAb
        T24AG09qABtPbQAbT3AAG1syOW0AG1s5bQBBWABSR0IAWFQAQkQAQkUAQ3IAQ3MARTMATXMAUEUAUFMAU2UAU3MAWE0Aa0ROAGtVUABrYTIA
        a2IxAGtiMwBrYzIAa3A1AGtwQUREAGtwQ01BAGtwRElWAGtwRE9UAGtwTVVMAGtwU1VCAGtwWlJPAHJteHgAc214eAA=
        """
}
